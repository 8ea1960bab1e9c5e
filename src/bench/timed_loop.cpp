// SPDX-License-Identifier: Apache-2.0
#include "bench/timed_loop.h"

#include <algorithm>
#include <cmath>

namespace shakedown {
namespace {

/// A pair of events costs the GPU's queue about a microsecond; a pair of clock readings the CPU about 50 ns.
constexpr double device_sample_s = 500e-6;
constexpr double host_sample_s = 10e-6;

void one_call(const TimedCall& timed) {
  if (timed.before_call) timed.before_call();
  timed.call();
}

WaitHooks hooks_of(const TimedCall& timed) {
  return {.on_each = [&timed] { timed.board.beat(); }, .while_waiting = timed.poll};
}

std::vector<double> take_blocking(const TimedCall& timed, int samples) {
  const WaitHooks hooks = hooks_of(timed);
  const auto marks = timed.device.make_time_marks(2);
  std::vector<double> result;
  result.reserve(static_cast<std::size_t>(samples));
  for (int i = 0; i < samples; ++i) {
    timed.session.barrier();
    if (timed.before_call) timed.before_call();
    marks->mark(0);
    timed.call();
    marks->mark(1);
    result.push_back(marks->intervals(hooks)[0]);
  }
  return result;
}

/// `one_sample` back to back, with a mark between each two.
std::vector<double> take_back_to_back(const TimedCall& timed, int samples, const std::function<void()>& one_sample) {
  const auto marks = timed.device.make_time_marks(static_cast<std::size_t>(samples) + 1);
  timed.device.synchronize();
  timed.session.barrier();
  marks->mark(0);
  for (int i = 0; i < samples; ++i) {
    one_sample();
    marks->mark(static_cast<std::size_t>(i) + 1);
    timed.board.beat();
  }
  return marks->intervals(hooks_of(timed));
}

}  // namespace

std::vector<double> warm_up(const TimedCall& timed, int warmups) {
  timed.board.enter(Stage::warm_up);
  const WaitHooks hooks = hooks_of(timed);
  const auto marks = timed.device.make_time_marks(2);
  std::vector<double> result;
  for (int i = 0; i < warmups; ++i) {
    marks->mark(0);
    one_call(timed);
    marks->mark(1);
    result.push_back(marks->intervals(hooks)[0]);
  }
  return result;
}

std::uint64_t calls_per_sample(Timing timing, const std::vector<double>& warm_up_seconds, bool on_device) {
  if (timing == Timing::blocking || warm_up_seconds.empty()) return 1;
  const double call = std::max(1e-8, *std::min_element(warm_up_seconds.begin(), warm_up_seconds.end()));
  const double wanted = std::ceil((on_device ? device_sample_s : host_sample_s) / call);
  return static_cast<std::uint64_t>(std::clamp(wanted, 1.0, static_cast<double>(most_calls_per_sample)));
}

std::vector<double> take_samples(const TimedCall& timed, Timing timing, int samples, std::uint64_t batch) {
  timed.board.enter(Stage::timed_loop);
  if (timing == Timing::blocking) return take_blocking(timed, samples);
  const auto calls = [&] {
    for (std::uint64_t i = 0; i < batch; ++i) one_call(timed);
  };
  std::vector<double> result;
  if (timing == Timing::graph) {
    const auto graph = timed.device.record(calls);
    graph->replay();  // the first replay uploads the graph; it is a warm-up
    result = take_back_to_back(timed, samples, [&] { graph->replay(); });
  } else {
    result = take_back_to_back(timed, samples, calls);
  }
  for (double& seconds : result) seconds /= static_cast<double>(batch);
  return result;
}

}  // namespace shakedown
