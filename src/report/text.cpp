// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "report/sections.h"
#include "report/words.h"

namespace shakedown {

std::string joined_sections(const std::vector<std::string>& sections) {
  std::string out;
  for (const std::string& section : sections) {
    if (!section.empty()) out += '\n' + section;
  }
  return out;
}

std::string render_table(const CollectiveReport& report, TextStyle style) {
  return heading_text(report, style) + '\n' + table_text(report, style);
}

std::string render_text(const CollectiveReport& report, TextStyle style) {
  const std::string progress =
      fmt::format("{} of {} done", report.rows.size(), counted(report.protocol.sizes.size(), "payload"));
  return render_table(report, style) +
         joined_sections({row_notes_text(report, style), wrong_data_text(report, style), profile_text(report, style),
                          legend_text(report, style), environment_text(report.header, report.context, style),
                          incomplete_text(report.header, report.ended_early, progress, style),
                          verdict_text(report.header, report.checks, style)});
}

}  // namespace shakedown
