// SPDX-License-Identifier: Apache-2.0
#include "shakedown/bench/collective_sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <memory>

#include "bench/data_check.h"
#include "bench/places.h"
#include "bench/straggler.h"
#include "bench/timed_loop.h"
#include "shakedown/base/size_text.h"
#include "shakedown/comm/agreement.h"
#include "shakedown/math/bandwidth.h"
#include "shakedown/math/statistics.h"

namespace shakedown {
namespace {

/// A call slower than this times the slowest warm-up is taken for a hang.
constexpr double hang_factor = 20;

/// The buffers of a run, large enough for its largest payload.
struct Buffers {
  std::unique_ptr<Buffer> send;
  std::unique_ptr<Buffer> receive;  ///< empty in place

  [[nodiscard]] Buffer& result() const { return receive ? *receive : *send; }
};

Bytes largest(const CollectiveProtocol& protocol) {
  return protocol.sizes.empty() ? Bytes{} : *std::max_element(protocol.sizes.begin(), protocol.sizes.end());
}

Bytes buffer_size(const CollectiveProtocol& protocol, Bytes cache) {
  return std::max(largest(protocol), Places::room(cache));
}

/// A bound: calls that a row can make between two fillings of its buffers.
std::uint64_t most_calls(const CollectiveProtocol& protocol) {
  return static_cast<std::uint64_t>(std::max(protocol.iterations, protocol.warmups)) * most_calls_per_sample;
}

TimeStatistics to_model(const Summary& summary) {
  return {.min = summary.min,
          .median = summary.median,
          .mean = summary.mean,
          .max = summary.max,
          .p99 = summary.p99,
          .samples = summary.samples};
}

/// Measures one payload after the other into one report.
class Sweep {
 public:
  Sweep(const SweepTools& tools, CollectiveReport& report)
      : tools_(tools), report_(report), protocol_(report.protocol) {}

  void allocate() {
    tools_.board.enter(Stage::allocate);
    agree(tools_.session, who(), [&] {
      const Bytes size = buffer_size(protocol_, tools_.device.cache_to_leave());
      buffers_.send = tools_.device.allocate(size);
      if (!protocol_.in_place) buffers_.receive = tools_.device.allocate(size);
    });
  }

  void measure(Bytes requested) {
    CollectiveRow row;
    row.bytes_requested = requested;
    row.count = requested.count / size_of(protocol_.dtype);
    row.bytes = Bytes{row.count * size_of(protocol_.dtype)};
    if (row.count == 0) {
      row.status = RowStatus::skipped;
      row.reason = fmt::format("{} is less than one element of {}", format_size(requested), name_of(protocol_.dtype));
    } else {
      tools_.progress.update(fmt::format("payload {} ({} of {})", format_size(requested), report_.rows.size() + 1,
                                         protocol_.sizes.size()));
      fill_row(row);
    }
    report_.rows.push_back(std::move(row));
  }

 private:
  [[nodiscard]] std::string who() const {
    if (tools_.session.size() == 1) return {};
    const RankInfo& me = report_.context.ranks.at(static_cast<std::size_t>(tools_.session.rank()));
    return fmt::format("rank {} on {}", me.rank, me.host);
  }

  void fill_row(CollectiveRow& row) {
    Places places(row.bytes, tools_.device.cache_to_leave(), most_calls(protocol_));
    const DataCheck check(tools_.session, tools_.device, protocol_.dtype, row.count * places.number());
    const CollectiveCall call{
        .kind = Collective::all_reduce, .op = ReduceOp::sum, .dtype = protocol_.dtype, .count = row.count};
    auto* const send = static_cast<char*>(buffers_.send->data());
    auto* const receive = static_cast<char*>(buffers_.result().data());
    const TimedCall timed{.session = tools_.session,
                          .device = tools_.device,
                          .board = tools_.board,
                          .call =
                              [&] {
                                const std::uint64_t place = places.next();
                                tools_.communicator.enqueue(call, send + place, receive + place);
                              },
                          .poll = [&] { tools_.communicator.poll(); },
                          .before_call = tools_.before_call};
    // In place the sums would grow with each call until they overflow, so the timed calls add zeros
    // (docs/measuring.md).
    prepare(check, protocol_.in_place, places);
    row.batch = warm_up_and_choose_batch(timed);
    if (protocol_.check && protocol_.warmups > 0 && !protocol_.in_place) {
      verify(check, row.count * places.used(), "after the warm-up calls", row);
      prepare(check, false, places);
    }
    record(take_samples(timed, protocol_.timing, protocol_.iterations, row.batch), row);
    row.places = places.used();
    if (!protocol_.check) return;
    if (protocol_.in_place) {
      prepare(check, false, places);
      timed.call();
    }
    verify(check, row.count * places.used(),
           protocol_.in_place ? "in a call after the timed ones" : "after the timed calls", row);
    if (row.wrong.value_or(0) == 0) return;
    row.status = RowStatus::failed;
    row.reason = fmt::format("{} wrong elements", *row.wrong);
  }

  /// All ranks warm up; the slowest call of any raises the longest silence that is allowed.
  std::uint64_t warm_up_and_choose_batch(const TimedCall& timed) {
    const std::vector<double> mine = warm_up(timed, protocol_.warmups);
    if (mine.empty()) return 1;
    const auto [fastest, slowest] = std::minmax_element(mine.begin(), mine.end());
    const std::vector<double> over_ranks = tools_.session.max(std::array{*fastest, *slowest});
    tools_.board.allow_at_least(Seconds{hang_factor * over_ranks[1]});
    return calls_per_sample(protocol_.timing, {over_ranks[0]}, tools_.device.can_record());
  }

  /// Known or zero inputs, and a poisoned result that each call must overwrite.
  void prepare(const DataCheck& check, bool zeros, Places& places) {
    tools_.board.enter(Stage::fill);
    places.restart();
    if (zeros)
      check.clear(*buffers_.send);
    else
      check.fill_input(*buffers_.send);
    if (buffers_.receive) check.poison(*buffers_.receive);
    tools_.device.synchronize();
    tools_.board.beat();
  }

  void verify(const DataCheck& check, std::uint64_t count, const std::string& when, CollectiveRow& row) {
    tools_.board.enter(Stage::data_check);
    tools_.communicator.wait();
    check.verify(buffers_.result(), count, report_.context, when, row);
    if (row.first_wrong) row.first_wrong->index %= row.count;  // of the payload, whatever place it lay at
  }

  void record(const std::vector<double>& mine, CollectiveRow& row) {
    tools_.board.enter(Stage::vote);
    tools_.communicator.wait();
    row.samples_s = tools_.session.max(mine);
    const Summary summary = summarize(row.samples_s);
    row.time_s = to_model(summary);
    row.iterations = row.samples_s.size();
    row.algbw = algorithm_bandwidth(row.bytes, Seconds{summary.median});
    row.busbw = all_reduce_bus_bandwidth(row.algbw, tools_.session.size());
    const std::vector<double> all =
        tools_.session.all_gather(std::array{summarize(mine).mean, median_of(mine), scaled_mad(mine)});
    std::vector<RankSamples> ranks;
    for (std::size_t i = 0; i + 2 < all.size(); i += 3) {
      ranks.push_back({.mean = all[i], .median = all[i + 1], .spread = all[i + 2]});
      row.per_rank_s.push_back(all[i]);
    }
    if (protocol_.timing != Timing::blocking) return;
    if (const auto lead = find_straggler(ranks))
      row.straggler =
          Straggler{lead->rank, report_.context.ranks.at(static_cast<std::size_t>(lead->rank)).host, lead->seconds};
  }

  const SweepTools& tools_;
  CollectiveReport& report_;
  const CollectiveProtocol& protocol_;
  Buffers buffers_;
};

}  // namespace

Bytes sweep_memory(const CollectiveProtocol& protocol, Bytes cache) {
  return Bytes{buffer_size(protocol, cache).count * (protocol.in_place ? 1 : 2)};
}

void run_collective_sweep(const SweepTools& tools, CollectiveReport& report,
                          const std::function<void(const CollectiveReport&)>& on_row) {
  Sweep sweep(tools, report);
  sweep.allocate();
  try {
    for (const Bytes size : report.protocol.sizes) {
      sweep.measure(size);
      report.protocol.timeout = tools.board.view().limit;
      tools.progress.clear();
      on_row(report);
    }
  } catch (...) {
    tools.communicator.abort();  // while the buffers live: freeing them would wait for calls that never end
    throw;
  }
}

}  // namespace shakedown
