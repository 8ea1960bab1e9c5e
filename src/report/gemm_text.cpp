// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "report/gemm_sections.h"
#include "report/words.h"

namespace shakedown {
namespace {

std::string progress_of(const GemmReport& report) {
  const std::string finished = counted(report.results.size(), "result") + " finished";
  return report.protocol.shapes > 0 ? fmt::format("{} of {}", finished, counted(report.protocol.shapes, "shape"))
                                    : finished;
}

}  // namespace

std::string render_table(const GemmReport& report, TextStyle style) {
  return gemm_heading_text(report, style) + '\n' + gemm_table_text(report, style);
}

std::string render_text(const GemmReport& report, TextStyle style) {
  return render_table(report, style) +
         joined_sections({gemm_row_notes_text(report, style), gemm_tried_text(report, style),
                          gemm_best_text(report, style), gemm_spreads_text(report, style),
                          gemm_suite_text(report, style), gemm_legend_text(report, style),
                          environment_text(report.header, report.context, style),
                          incomplete_text(report.header, report.ended_early, progress_of(report), style),
                          verdict_text(report.header, report.checks, style)});
}

}  // namespace shakedown
