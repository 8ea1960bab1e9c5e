// SPDX-License-Identifier: Apache-2.0
#include "bench/gemm_meter.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "shakedown/math/median_interval.h"
#include "shakedown/math/statistics.h"

namespace shakedown {
namespace {

/// Device marks are good to half a microsecond, so a sample of this length is timed to 0.2 %.
constexpr Seconds least_burst{0.0003};
/// Sensors change every 20 to 100 ms, and a window must hold whole products.
constexpr Seconds window{0.05};
constexpr int windows_in_flight = 3;
/// Sensors of a power-capped chip may never show the highest clock again.
constexpr Seconds longest_wait_for_clock{1.0};
constexpr Seconds poll_interval{0.005};
/// Clocks step by 15 MHz; one step below the highest is back.
constexpr double clock_is_back = 0.99;
/// Half of the 95 % interval of the median, as a fraction of it.
constexpr double narrow_enough = 0.0025;
constexpr double steady_enough = 0.01;
constexpr int most_burst_calls = 2000;
/// A silence of so many products is a hang; a sample holds fewer of the long ones.
constexpr double hang_factor = 20;
/// Between two of them the watchdog learns that we live.
constexpr Seconds flushed_part{0.5};
constexpr int most_flushed_part = 50;

double rate_of(const GemmSample& sample) { return 1 / sample.per_call.count(); }

bool is_narrow(const GemmSeries& series) {
  std::vector<double> rates;
  for (const GemmSample& sample : series.samples) rates.push_back(rate_of(sample));
  const auto interval = median_interval_95(rates);
  if (!interval) return false;
  const double median = median_of(rates);
  return std::max(interval->high - median, median - interval->low) < narrow_enough * median;
}

/// Sensors while a series runs.
class Sensors {
 public:
  explicit Sensors(Telemetry* telemetry) : telemetry_(telemetry) {}
  void look(GemmSeries& series) {
    if (telemetry_ == nullptr) return;
    const TelemetryReading reading = telemetry_->read();
    if (reading.temperature_c) series.temperature_c = reading.temperature_c;
    for (const std::string& reason : reading.throttle)
      if (std::find(series.throttle.begin(), series.throttle.end(), reason) == series.throttle.end())
        series.throttle.push_back(reason);
    if (!reading.power_w) return;
    power_sum_ += *reading.power_w;
    series.power_w = power_sum_ / ++readings_;
  }

 private:
  Telemetry* telemetry_;
  double power_sum_{0};
  int readings_{0};
};

double mean_rate(const GemmSeries& series) {
  double seconds = 0;
  for (const GemmSample& sample : series.samples) seconds += sample.per_call.count();
  return static_cast<double>(series.samples.size()) / seconds;
}

bool is_steady(const GemmSeries& before, const GemmSeries& after) {
  const double rate = mean_rate(before);
  if (std::abs(mean_rate(after) - rate) >= steady_enough * rate) return false;
  if (!before.power_w || !after.power_w) return true;
  return std::abs(*after.power_w - *before.power_w) < steady_enough * *before.power_w;
}

}  // namespace

void GemmMeter::rest(Seconds rest) {
  const GemmTools& tools = bench_.tools;
  tools.board.beat();
  tools.sleep(rest);
  Telemetry* telemetry = bench_.engine.telemetry();
  const auto highest = bench_.engine.info().max_clock_mhz;
  // A CPU shows its highest clock on one busy core alone.
  if (telemetry == nullptr || !highest || !bench_.engine.info().device) return;
  if (clock_never_returns_) return;
  const Seconds give_up = tools.clock.now() + longest_wait_for_clock;
  while (tools.clock.now() < give_up) {
    const auto clock = telemetry->read().clock_mhz;
    tools.board.beat();
    if (!clock || *clock >= clock_is_back * *highest) return;
    tools.sleep(poll_interval);
  }
  clock_never_returns_ = true;  // a clock that somebody locked: waiting again would tell nothing
}

void GemmMeter::allow_for(Seconds per_call) {
  bench_.tools.board.allow_at_least(hang_factor * per_call);
  bench_.report.protocol.timeout = bench_.tools.board.view().limit;
  bench_.tools.board.beat();
}

BatchReading GemmMeter::batch(PreparedGemm& gemm, int calls) {
  bench_.engine.start(gemm, calls);
  const BatchReading reading = bench_.engine.finish();
  bench_.tools.board.beat();
  return reading;
}

int GemmMeter::burst_calls(Seconds per_call) const {
  const double enough = std::ceil(least_burst / per_call);
  return std::clamp(static_cast<int>(std::min(enough, 1e6)), bench_.report.protocol.burst_calls, most_burst_calls);
}

GemmSample GemmMeter::burst_sample(PreparedGemm& gemm, Seconds rest) {
  const GemmProtocol& protocol = bench_.report.protocol;
  // While shapes are compared by the hundred the gap alone must do: a reading of the sensors takes as long.
  if (rest < protocol.rest) {
    bench_.tools.board.beat();
    bench_.tools.sleep(rest);
  } else {
    this->rest(rest);
  }
  Seconds warm{};
  if (protocol.burst_warmups > 0) {
    warm = batch(gemm, protocol.burst_warmups).per_call;
    allow_for(warm);
  }
  const int calls = warm.count() > 0 ? burst_calls(warm) : protocol.burst_calls;
  const BatchReading reading = batch(gemm, calls);
  return {.per_call = reading.per_call, .clock_mhz = reading.clock_mhz, .at_s = bench_.tools.clock.now().count()};
}

std::vector<GemmSeries> GemmMeter::burst_series(const std::vector<PreparedGemm*>& gemms, int least, int most) {
  std::vector<GemmSeries> all(gemms.size());
  std::vector<Sensors> sensors(gemms.size(), Sensors(bench_.engine.telemetry()));
  const double began = bench_.tools.clock.now().count();
  for (int round = 0; round < most; ++round) {
    for (std::size_t i = 0; i < gemms.size(); ++i) {
      GemmSample sample = burst_sample(*gemms[i], bench_.report.protocol.rest);
      sample.at_s -= began;
      all[i].samples.push_back(sample);
      sensors[i].look(all[i]);
      all[i].power_w.reset();  // sensors average over longer than a burst
    }
    if (round + 1 >= least && is_narrow(all.front())) {
      for (GemmSeries& series : all) series.stopped_by = "interval";
      break;
    }
  }
  for (std::size_t i = 0; i < gemms.size(); ++i) {
    all[i].calls_per_sample = burst_calls(all[i].samples.front().per_call);
    if (all[i].stopped_by.empty()) all[i].stopped_by = "samples";
  }
  return all;
}

GemmSeries GemmMeter::sustained_series(PreparedGemm& gemm, Seconds skip, Seconds time) {
  GemmSeries series;
  const Seconds guess = batch(gemm, 1).per_call;
  allow_for(guess);
  series.calls_per_sample = std::max(1, static_cast<int>(window / guess));
  Sensors sensors(bench_.engine.telemetry());
  GemmSample last;
  double queued = 0;  // device time, as far as it can be told beforehand
  double finished = 0;
  double per_batch = guess.count() * series.calls_per_sample;
  int in_flight = 0;
  const double wanted = (skip + time).count();
  while (true) {
    while (in_flight < windows_in_flight && queued < wanted) {
      bench_.engine.start(gemm, series.calls_per_sample);
      queued += per_batch;
      ++in_flight;
    }
    if (in_flight == 0) break;
    const BatchReading reading = bench_.engine.finish();
    --in_flight;
    bench_.tools.board.beat();
    per_batch = reading.per_call.count() * series.calls_per_sample;
    finished += per_batch;
    queued = finished + in_flight * per_batch;
    last = {.per_call = reading.per_call, .clock_mhz = reading.clock_mhz, .at_s = finished - skip.count()};
    if (finished - per_batch < skip.count()) continue;
    series.samples.push_back(last);
    sensors.look(series);
  }
  if (series.samples.empty()) series.samples.push_back(last);  // a product longer than all of the time
  series.stopped_by = "time";
  return series;
}

void GemmMeter::soak(PreparedGemm& gemm, Seconds least) {
  if (least.count() <= 0) return;
  constexpr int most_halves = 8;
  GemmSeries before = sustained_series(gemm, Seconds{0}, least / 2);
  for (int half = 1; half < most_halves; ++half) {
    GemmSeries after = sustained_series(gemm, Seconds{0}, least / 2);
    if (is_steady(before, after)) return;
    before = std::move(after);
  }
}

GemmSeries GemmMeter::flushed_series(PreparedGemm& gemm) {
  const GemmProtocol& protocol = bench_.report.protocol;
  GemmSeries series;
  series.calls_per_sample = 1;
  Sensors sensors(bench_.engine.telemetry());
  double at = 0;
  int size_of_part = 1;  // until it is known how long one takes
  for (int done = -protocol.flushed_warmups; done < protocol.flushed_calls;) {
    const int left = done < 0 ? -done : protocol.flushed_calls - done;
    const std::vector<double> part = bench_.engine.run_flushed(gemm, std::min(left, size_of_part));
    for (const double seconds : part) {
      if (done++ < 0) continue;
      at += seconds;
      series.samples.push_back({.per_call = Seconds{seconds}, .clock_mhz = {}, .at_s = at});
    }
    allow_for(Seconds{part.back()});
    size_of_part = std::clamp(static_cast<int>(flushed_part / Seconds{part.back()}), 1, most_flushed_part);
  }
  sensors.look(series);
  series.stopped_by = "samples";
  return series;
}

}  // namespace shakedown
