// SPDX-License-Identifier: Apache-2.0
#include "plan.h"

#include <fmt/format.h>

#include <algorithm>

#include "shakedown/base/error.h"
#include "shakedown/base/size_text.h"
#include "shakedown/bench/collective_sweep.h"
#include "shakedown/math/sweep.h"

namespace shakedown {
namespace {

constexpr Bytes default_first{32ull << 10};
constexpr Bytes default_last_gpu{16ull << 30};
constexpr Bytes default_last_cpu{64ull << 20};  // a default run on two slow cores stays well below a minute

/// The largest default payload whose buffers fit; defaults alone are cut.
Bytes capped_default(Bytes wanted, int buffers, Bytes free_memory) {
  while (wanted.count > 1 && wanted.count * static_cast<std::uint64_t>(buffers) > free_memory.count) wanted.count /= 2;
  return wanted;
}

std::string describe_sizes(const Options& options, const std::vector<Bytes>& sizes) {
  if (sizes.size() == 1) return format_size(sizes.front());
  const std::string growth = options.step_bytes ? fmt::format("plus {}", format_size(*options.step_bytes))
                                                : fmt::format("times {:g}", options.step_factor.value_or(2));
  return fmt::format("{} to {}, {}", format_size(sizes.front()), format_size(sizes.back()), growth);
}

std::vector<Bytes> plan_sizes(const Options& options, const Setting& setting) {
  if (options.payload) return {*options.payload};
  const int buffers = options.in_place ? 1 : 2;
  const Bytes wanted = setting.on_gpu ? default_last_gpu : default_last_cpu;
  Bytes first = options.min_bytes.value_or(default_first);
  Bytes last = options.max_bytes.value_or(std::max(first, capped_default(wanted, buffers, setting.free_memory)));
  if (!options.min_bytes && options.max_bytes) first = std::min(first, last);
  const std::optional<double> factor =
      options.step_bytes ? std::nullopt : std::optional<double>(options.step_factor.value_or(2));
  return sizes_of({.first = first, .last = last, .factor = factor, .step = options.step_bytes});
}

Check check_min_busbw(const CollectiveReport& report, const MinimumBusbw& minimum) {
  Check check{.id = "min_busbw", .status = CheckStatus::unknown, .message = ""};
  std::optional<BytesPerSecond> found = report.summary().best_busbw;
  std::string where = "of the best payload";
  if (minimum.at) {
    found.reset();
    where = "at " + format_size(*minimum.at);
    for (const CollectiveRow& row : report.rows)
      if (row.bytes_requested == *minimum.at && row.status == RowStatus::ok) found = row.busbw;
  }
  if (!found) {
    check.message =
        fmt::format("no bus bandwidth {} was measured; {:.3g} GB/s was asked for", where, minimum.value.value / 1e9);
    return check;
  }
  check.status = found->value < minimum.value.value ? CheckStatus::fail : CheckStatus::pass;
  check.message = fmt::format("bus bandwidth {} is {:.4g} GB/s, {:.4g} GB/s was asked for", where, found->value / 1e9,
                              minimum.value.value / 1e9);
  return check;
}

Check check_data(const CollectiveReport& report) {
  const CollectiveSummary summary = report.summary();
  if (summary.wrong > 0) return {"data", CheckStatus::fail, fmt::format("{} wrong elements", summary.wrong)};
  if (summary.rows_checked == 0) return {"data", CheckStatus::unknown, "no payload's data was checked"};
  return {"data", CheckStatus::pass, fmt::format("every element of {} payloads is right", summary.rows_checked)};
}

/// Only blocking timing can tell a late rank, so the question is asked there alone.
Check check_straggler(const CollectiveReport& report) {
  int rows = 0;
  const Straggler* worst = nullptr;
  for (const CollectiveRow& row : report.rows) {
    if (!row.straggler) continue;
    ++rows;
    if (worst == nullptr || row.straggler->lead_s > worst->lead_s) worst = &*row.straggler;
  }
  if (report.rows.empty()) return {"straggler", CheckStatus::unknown, "nothing was measured"};
  if (report.context.ranks.size() < 2) return {"straggler", CheckStatus::unknown, "one rank waits for nobody"};
  if (worst == nullptr) return {"straggler", CheckStatus::pass, "no rank was late"};
  return {"straggler", CheckStatus::warn,
          fmt::format("the others waited for a rank at {} of {} payloads; most for rank {} on {}, {:.0f} us a call",
                      rows, report.rows.size(), worst->rank, worst->host, worst->lead_s * 1e6)};
}

}  // namespace

CollectiveProtocol plan_protocol(const Options& options, const Setting& setting) {
  if (options.timing == Timing::graph && !setting.on_gpu)
    throw UsageError(
        "--timing graph needs a GPU (a CUDA graph is replayed); on the CPU pipelined and blocking are offered");
  CollectiveProtocol protocol;
  protocol.dtype = options.dtype;
  protocol.timing = options.timing;
  protocol.in_place = options.in_place;
  protocol.warmups = options.warmups;
  protocol.iterations = options.iterations;
  protocol.check = options.check;
  protocol.timeout = protocol.asked_timeout = options.timeout;
  protocol.sizes = plan_sizes(options, setting);
  protocol.size_rule = describe_sizes(options, protocol.sizes);
  if (options.min_busbw && options.min_busbw->at &&
      std::find(protocol.sizes.begin(), protocol.sizes.end(), *options.min_busbw->at) == protocol.sizes.end())
    throw UsageError(fmt::format("--min-busbw: {} is none of the payloads ({}), so nothing would be judged",
                                 format_size(*options.min_busbw->at), protocol.size_rule));
  const Bytes needed = sweep_memory(protocol, setting.cache);
  if (needed > setting.free_memory)
    throw UsageError(fmt::format(
        "{} does not fit: it needs {} of {} a rank ({}), and {} are free; ask for less with --max-bytes (-e){}",
        format_size(protocol.sizes.back()), approximate_size(needed), setting.memory_name,
        options.in_place ? "one buffer" : "a send and a receive buffer", approximate_size(setting.free_memory),
        options.in_place ? "" : " or use --in-place"));
  return protocol;
}

std::string describe_plan(const CollectiveProtocol& protocol, const Setting& setting) {
  // Rates at the slow end of what such machines do, so that the estimate is rather too long than too short.
  const double rate = setting.on_gpu ? 20e9 : 0.5e9;
  const double per_call = setting.on_gpu ? 50e-6 : 20e-6;
  double seconds = 0;
  std::string out;
  for (const Bytes size : protocol.sizes) {
    const double calls = protocol.warmups + protocol.iterations;
    seconds += calls * (per_call + static_cast<double>(size.count) / rate) + 4 * static_cast<double>(size.count) / rate;
    out += fmt::format("{}{}\n", format_size(size), size.count % 16 == 0 ? "" : "  (not a multiple of 16 bytes)");
  }
  return out + fmt::format(
                   "{} {}: all_reduce of {} over {} {}, {} warm-ups + {} samples each, {} timing; about {:.0f} s, {} "
                   "of {} a rank\n",
                   protocol.sizes.size(), protocol.sizes.size() == 1 ? "payload" : "payloads", name_of(protocol.dtype),
                   setting.ranks, setting.ranks == 1 ? "rank" : "ranks", protocol.warmups, protocol.iterations,
                   name_of(protocol.timing), std::max(1.0, seconds),
                   approximate_size(sweep_memory(protocol, setting.cache)), setting.memory_name);
}

std::vector<Check> checks_of(const CollectiveReport& report, const Options& options) {
  std::vector<Check> checks{check_data(report)};
  if (report.protocol.timing == Timing::blocking) checks.push_back(check_straggler(report));
  if (options.min_busbw) checks.push_back(check_min_busbw(report, *options.min_busbw));
  apply_require(checks, options.require);
  return checks;
}

}  // namespace shakedown
