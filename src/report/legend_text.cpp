// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>

#include "report/sections.h"
#include "report/words.h"
#include "shakedown/base/size_text.h"
#include "shakedown/math/bandwidth.h"

namespace shakedown {
namespace {

/// The largest payload with a number that can be trusted; null when there is none.
const CollectiveRow* headline_row(const CollectiveReport& report) {
  const CollectiveRow* largest = nullptr;
  for (const CollectiveRow& row : report.rows) {
    if (row.status != RowStatus::ok || row.wrong.value_or(0) > 0) continue;
    if (largest == nullptr || row.bytes > largest->bytes) largest = &row;
  }
  return largest;
}

/// Ranks on one GPU take turns on it.
bool any_gpu_is_shared(const RunContext& context) {
  std::set<std::string> uuids;
  return std::any_of(context.ranks.begin(), context.ranks.end(),
                     [&](const RankInfo& rank) { return rank.device && !uuids.insert(rank.device->uuid).second; });
}

/// Rings cross a host's network ports side by side, so that these add up; inside a host each GPU has its own links.
std::string what_to_compare_with(const RunContext& context) {
  if (any_gpu_is_shared(context))
    return "Compare it with nothing: ranks that share a GPU take turns on it, so this shows that it works and not how "
           "fast a link is.";
  if (host_count(context) > 1) {
    return "Compare it with what the network ports of one host carry together in one direction (8 x 400 Gb/s is 400 "
           "GB/s).";
  }
  if (context.backend == "cpu") return "Compare it with other runs on this host only: no link is crossed, just memory.";
  return "Compare it with the rating of a GPU's links in one direction (NVLink's 900 GB/s count both: 450 GB/s one "
         "way).";
}

std::string what_to_look_at(const CollectiveReport& report, const CollectiveRow& row) {
  const int decimals = bandwidth_decimals(report);
  if (!row.busbw) {
    return fmt::format(
        "Look at algbw at the largest payload: {} GB/s at {}. Bus bandwidth is not defined for one rank, because "
        "nothing crosses a "
        "bus.",
        format_bandwidth(row.algbw, decimals), format_size(row.bytes));
  }
  std::string line = fmt::format("Look at busbw at the largest payload: {} GB/s at {}",
                                 format_bandwidth(*row.busbw, decimals), format_size(row.bytes));
  const CollectiveSummary summary = report.summary();
  if (summary.best_busbw && summary.best_bytes != row.bytes) {
    line += fmt::format(" (best: {} GB/s at {})", format_bandwidth(*summary.best_busbw, decimals),
                        format_size(summary.best_bytes));
  }
  return line + ". " + what_to_compare_with(report.context);
}

}  // namespace

std::string legend_text(const CollectiveReport& report, TextStyle style) {
  const CollectiveRow* row = headline_row(report);
  std::string out;
  const auto say = [&](const std::string& line) { out += wrapped(line, style.columns, "  "); };
  if (row != nullptr) out += wrapped(what_to_look_at(report, *row), style.columns);
  if (report.rows.empty()) return out;
  say("- time: median over iterations, each the maximum over ranks; spread: (slowest - fastest) / median");
  const int ranks = static_cast<int>(report.context.ranks.size());
  say(ranks < 2 ? "- algbw = payload / time"
                : fmt::format("- algbw = payload / time; busbw = algbw x 2(n-1)/n, here algbw x {:.4g}",
                              all_reduce_bus_factor(ranks)));
  say("- sizes are binary (1 KiB = 1024 B), bandwidth is decimal (1 GB/s = 10^9 B/s)");
  std::uint64_t batch = 1;
  std::uint64_t places = 1;
  for (const CollectiveRow& each : report.rows) {
    batch = std::max(batch, each.batch);
    places = std::max(places, each.places);
  }
  if (batch > 1) say(fmt::format("- calls too short for the clock were timed in batches of up to {}", batch));
  if (places > 1)
    say(fmt::format(
        "- calls rotate over up to {} places of the buffers, so that small payloads don't live in the GPU's cache",
        places));
  if (report.protocol.timing == Timing::blocking && ranks > 1)
    say("- straggler: the rank the others waited for; its time in a call is that much below the median rank's");
  return out;
}

}  // namespace shakedown
