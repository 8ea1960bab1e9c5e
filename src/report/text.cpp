// SPDX-License-Identifier: Apache-2.0
#include "report/sections.h"

namespace shakedown {

std::string render_text(const CollectiveReport& report, TextStyle style) {
  std::string out;
  for (const auto section : {heading_text, results_text, wrong_data_text, profile_text, legend_text, environment_text,
                             incomplete_text, verdict_text}) {
    const std::string text = section(report, style);
    if (!out.empty() && !text.empty()) out += '\n';
    out += text;
  }
  return out;
}

}  // namespace shakedown
