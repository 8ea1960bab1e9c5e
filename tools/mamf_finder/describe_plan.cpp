// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "plan.h"
#include "shakedown/base/size_text.h"
#include "shakedown/math/gemm_cost.h"

namespace shakedown {
namespace {

/// As bench sweeps: up to so many shapes are measured whole, of more each gets one look and the best a second time.
constexpr std::size_t measured_whole = 64;
constexpr double measured_again = 16;
/// Preparing a shape, checking its product, and printing it.
constexpr double overhead_s = 0.02;
/// Of writing 256 MiB and D before each product of mamf-v2.
constexpr double flush_s = 0.0002;
/// Listed one by one up to here.
constexpr std::size_t most_listed = 24;

/// Shapes whose product and row are told apart by nothing else are measured once.
std::set<GemmShape> distinct_shapes(const AskedShapes& asked) {
  std::set<GemmShape> shapes(asked.shapes.begin(), asked.shapes.end());
  for (const NamedGemm& gemm : asked.suite) shapes.insert(gemm.shape);
  return shapes;
}

double seconds_in_mode(const GemmProtocol& protocol, GemmMode mode, double call_s) {
  switch (mode) {
    case GemmMode::burst:
      return protocol.least_samples *
             (protocol.rest.count() + (protocol.burst_warmups + protocol.burst_calls) * call_s);
    case GemmMode::sustained:
      return (protocol.soak + protocol.sustained_time).count();
    case GemmMode::mamf_v2:
      break;
  }
  return (protocol.flushed_warmups + protocol.flushed_calls) * (call_s + flush_s);
}

double seconds_for_a_look(const GemmProtocol& protocol, double call_s) {
  return protocol.screen_rest.count() + (protocol.burst_warmups + protocol.burst_calls) * call_s;
}

std::string format_duration(double seconds) {
  if (seconds < 120) return fmt::format("{:.0f} s", std::max(1.0, seconds));
  if (seconds < 2 * 3600) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 48 * 3600) return fmt::format("{:.1f} h", seconds / 3600);
  return fmt::format("{:.1f} days", seconds / 86400);
}

std::string join_modes(const GemmProtocol& protocol) {
  std::string text;
  for (const GemmMode mode : protocol.modes) text += fmt::format("{}{}", text.empty() ? "" : ", then ", name_of(mode));
  return text;
}

std::string list_shapes(const AskedShapes& asked) {
  std::string text;
  if (asked.shapes.size() <= most_listed)
    for (const GemmShape& shape : asked.shapes) text += format_shape(shape) + "\n";
  for (const NamedGemm& gemm : asked.suite)
    text += fmt::format("{}  {} times  {}\n", format_shape(gemm.shape), gemm.count, gemm.name);
  return text;
}

std::string count_of(const GemmProtocol& protocol, const AskedShapes& asked) {
  if (protocol.task == GemmTask::search) return fmt::format("a search of {:g} s", protocol.budget.count());
  const std::size_t count = asked.shapes.size() + asked.suite.size();
  return fmt::format(
      "{} {}", count,
      protocol.task == GemmTask::model ? (count == 1 ? "product" : "products") : (count == 1 ? "shape" : "shapes"));
}

}  // namespace

double estimate_seconds(const GemmProtocol& protocol, const AskedShapes& asked, double operations_per_s) {
  if (protocol.task == GemmTask::search) return protocol.budget.count();
  const std::set<GemmShape> shapes = distinct_shapes(asked);
  const bool whole = shapes.size() <= measured_whole || protocol.modes.front() != GemmMode::burst;
  double seconds = 0;
  double slowest = 0;
  for (const GemmShape& shape : shapes) {
    const double call_s = operations_of(shape) / operations_per_s;
    slowest = std::max(slowest, call_s);
    seconds += overhead_s + seconds_for_a_look(protocol, call_s) * (whole ? protocol.algorithms : 1);
    if (whole && protocol.task == GemmTask::shapes)
      seconds += seconds_in_mode(protocol, protocol.modes.front(), call_s);
    if (protocol.task == GemmTask::model) seconds += protocol.sustained_time.count() / 2;
  }
  if (!whole)
    seconds += measured_again * (seconds_in_mode(protocol, GemmMode::burst, slowest) +
                                 protocol.algorithms * seconds_for_a_look(protocol, slowest));
  if (protocol.task == GemmTask::model) return seconds + protocol.soak.count();
  for (std::size_t i = 1; i < protocol.modes.size(); ++i)
    seconds += seconds_in_mode(protocol, protocol.modes[i], slowest);
  return seconds;
}

std::string describe_plan(const GemmProtocol& protocol, const AskedShapes& asked,
                          const std::vector<KindEstimate>& kinds, Bytes free_memory) {
  std::string out = list_shapes(asked);
  double total = 0;
  for (const KindEstimate& each : kinds) {
    if (!each.refusal.empty()) {
      out += fmt::format("{}: skipped: {}\n", describe(each.kind), each.refusal);
      continue;
    }
    const double seconds = estimate_seconds(protocol, asked, each.operations_per_s);
    total += seconds;
    const std::string memory = protocol.task == GemmTask::search
                                   ? fmt::format("up to {} of memory", approximate_size(free_memory))
                                   : fmt::format("{} of the {} of memory that are free", approximate_size(each.memory),
                                                 approximate_size(free_memory));
    out += fmt::format("{}: {} ({}), {} data with seed {}, {}; about {}{}\n", describe(each.kind),
                       count_of(protocol, asked), join_modes(protocol), name_of(protocol.data), protocol.seed, memory,
                       format_duration(seconds),
                       each.skipped == 0 ? "" : fmt::format("; {} would be skipped", each.skipped));
  }
  if (kinds.size() > 1) out += fmt::format("{} kinds: about {} in all\n", kinds.size(), format_duration(total));
  return out;
}

}  // namespace shakedown
