// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "shakedown/report/render.h"

namespace shakedown {

/// The parts of the text report, in the order in which they appear. Each is whole lines, or empty where it has nothing
/// to say.

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
/// Whatever makes two reports comparable.
std::string environment_text(const CollectiveReport& report, TextStyle style);
/// Why the run ended early, and how far it came.
std::string incomplete_text(const CollectiveReport& report, TextStyle style);
std::string verdict_text(const CollectiveReport& report, TextStyle style);

/// Different host names.
std::size_t host_count(const RunContext& context);

/// Decimals of bandwidths in GB/s: two between GPUs, three on the CPU.
int bandwidth_decimals(const CollectiveReport& report);

}  // namespace shakedown
