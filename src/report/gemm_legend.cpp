// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "report/gemm_sections.h"
#include "report/words.h"

namespace shakedown {
namespace {

std::string mode_text(GemmMode mode, const GemmProtocol& protocol) {
  switch (mode) {
    case GemmMode::burst:
      return fmt::format(
          "burst: the chip rested{}, then at least {} back to back are one sample; what short kernels see, and shorter "
          "than what power sensors average over",
          protocol.rest_rule.empty() ? "" : " (" + one_line(protocol.rest_rule) + ")",
          counted(static_cast<std::uint64_t>(std::max(protocol.burst_calls, 0)), "product"));
    case GemmMode::sustained:
      return fmt::format(
          "sustained: {:.3g} s back to back until power and heat settle, then {:.3g} s that count; what a long "
          "training "
          "run can get",
          protocol.soak.count(), protocol.sustained_time.count());
    case GemmMode::mamf_v2:
      return fmt::format(
          "mamf-v2: the method of the book's script: {} flushed and {} timed single products, the cache flushed and D "
          "rewritten before each; for comparison with its tables",
          protocol.flushed_warmups, protocol.flushed_calls);
  }
  return "";
}

}  // namespace

std::string gemm_legend_text(const GemmReport& report, TextStyle style) {
  if (report.results.empty()) return "";
  std::string out;
  const auto say = [&](const std::string& line) { out += wrapped("- " + line, style.columns, "  "); };
  for (const GemmMode mode : report.protocol.modes) say(mode_text(mode, report.protocol));
  say("mean: all operations over all time; median and max: of the samples; the median is the headline");
  say("95 %: an interval that holds the true median with at least 95 % probability; none below six samples");
  const bool sensors = report.context.backend != "cpu";
  say(fmt::format("MHz: the clock while it ran{}; peaks are dense, never with sparsity",
                  sensors ? "; held: what held it down" : ""));
  return out;
}

}  // namespace shakedown
