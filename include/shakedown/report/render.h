// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "shakedown/model/collective_report.h"
#include "shakedown/report/text_style.h"

namespace shakedown {

/// The heading and the rows so far, printed while they come: the text for more rows starts with the text for fewer, so
/// column widths and columns depend on the protocol and the context alone (the straggler column is there in blocking
/// timing).
std::string render_table(const CollectiveReport& report, TextStyle style);

/// render_table, then the line that says what to look at, the legend, the environment and the verdict.
std::string render_text(const CollectiveReport& report, TextStyle style);

/// One JSON document (schema_version 1), ended by a newline; unknown values are null.
std::string render_json(const CollectiveReport& report);

}  // namespace shakedown
