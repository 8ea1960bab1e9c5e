// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "report/gemm_sections.h"
#include "report/gemm_words.h"
#include "report/words.h"
#include "shakedown/model/gemm_summary.h"

namespace shakedown {
namespace {

std::string left_out_text(const GemmSummary& summary) {
  std::string text;
  if (summary.skipped > 0) text += fmt::format("{} skipped", summary.skipped);
  if (summary.failed > 0) text += fmt::format("{}{} failed", text.empty() ? "" : ", ", summary.failed);
  return text.empty() ? "" : " (" + text + ")";
}

std::string best_line(std::string_view name, const std::optional<BestShape>& best, std::string_view unit) {
  return fmt::format("{:<8}{} {} @ {}\n", fmt::format("{}:", name), format_rate(best->rate), unit,
                     format_shape(best->shape));
}

/// The words that users of the book's script look for.
std::string block_of(const GemmSummary& summary, int columns) {
  const std::string_view unit = rate_unit_of(summary.kind.type);
  const std::string place = place_text(summary.host, summary.device);
  const std::string start =
      fmt::format("Tried {}{}, {} in {}{} =>", counted(summary.tried, "shape"), left_out_text(summary),
                  describe(summary.kind), name_of(summary.mode), place.empty() ? "" : " on " + place);
  if (!summary.mean) return wrapped(start + " none could be measured", columns);
  return wrapped(start + " the best outcomes were:", columns) + best_line("mean", summary.mean, unit) +
         best_line("median", summary.median, unit) + best_line("max", summary.max, unit) +
         wrapped(fmt::format("Across {}: arithmetic mean {} {}, geometric mean {} {} (of the means)",
                             counted(summary.measured, "shape"), format_rate(*summary.arithmetic_mean), unit,
                             format_rate(*summary.geometric_mean), unit),
                 columns);
}

}  // namespace

std::string gemm_tried_text(const GemmReport& report, TextStyle style) {
  if (report.protocol.task == GemmTask::search) {
    const std::uint64_t count = count_shapes(report.screened);
    return count == 0 ? "" : fmt::format("Looked at {}.\n", counted(count, "shape"));
  }
  if (report.protocol.task == GemmTask::model || report.protocol.modes.empty()) return "";
  std::string out;
  for (const GemmSummary& summary : summaries_of(report)) {
    if (summary.mode != report.protocol.modes.front()) continue;  // the others measure the best shape alone
    out += (out.empty() ? "" : "\n") + block_of(summary, style.columns);
  }
  return out;
}

}  // namespace shakedown
