// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shakedown/model/gemm_report.h"

namespace shakedown {

/// 10^12 operations a second without the unit, with at least four digits and one decimal, so that 0.1 % shows: "777.3",
/// "22.41", "0.4213"; "n/a" when not finite.
std::string format_rate(double rate);

/// "777.1-777.6"; "-" when it is not known.
std::string format_interval(const RateStatistics& rate);

/// "83.9 %" of a fraction; "unknown" when there is none.
std::string format_share(std::optional<double> fraction);

/// A whole number; "-" when it is not known.
std::string format_whole(std::optional<double> value);

/// "bfloat16 (output bfloat16, float32 accumulation, TN)".
std::string kind_text(const GemmKind& kind);

/// "node-a GPU 3"; the host alone on the CPU.
std::string place_text(const std::string& host, const std::optional<DeviceInfo>& device);

/// "held by the power cap (normal under load)": why the clock was held down; empty for no reason.
std::string throttle_text(const std::vector<std::string>& reasons);
/// The same in a word or two: "power", "heat"; "-" for no reason.
std::string throttle_word(const std::vector<std::string>& reasons);
/// Whether it is other than the power cap, which is normal under load.
bool is_degraded(const std::vector<std::string>& reasons);

}  // namespace shakedown
