// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/shared_sections.h"
#include "shakedown/report/render.h"

namespace shakedown {

/// The parts of all_reduce_bench's text report, in the order in which they appear; those that all tools share follow
/// (shared_sections.h). Each is whole lines, or empty where it has nothing to say.

/// What was measured, in one sentence.
std::string heading_text(const CollectiveReport& report, TextStyle style);
/// A row a payload. The text for more rows starts with the text for fewer.
std::string table_text(const CollectiveReport& report, TextStyle style);
/// What must be said of single rows.
std::string row_notes_text(const CollectiveReport& report, TextStyle style);
/// Which elements were wrong, where and when.
std::string wrong_data_text(const CollectiveReport& report, TextStyle style);
/// A line and a bar an iteration of each payload.
std::string profile_text(const CollectiveReport& report, TextStyle style);
/// What to look at, and what the columns mean.
std::string legend_text(const CollectiveReport& report, TextStyle style);

/// Decimals of bandwidths in GB/s: two between GPUs, three on the CPU.
int bandwidth_decimals(const CollectiveReport& report);

}  // namespace shakedown
