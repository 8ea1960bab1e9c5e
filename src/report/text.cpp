// SPDX-License-Identifier: Apache-2.0
#include "report/sections.h"

namespace shakedown {

std::string render_table(const CollectiveReport& report, TextStyle style) {
  return heading_text(report, style) + '\n' + table_text(report, style);
}

std::string render_text(const CollectiveReport& report, TextStyle style) {
  std::string out = render_table(report, style);
  for (const auto section :
       {row_notes_text, wrong_data_text, profile_text, legend_text, environment_text, incomplete_text, verdict_text}) {
    const std::string text = section(report, style);
    if (!text.empty()) out += '\n';
    out += text;
  }
  return out;
}

}  // namespace shakedown
