// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "shakedown/base/units.h"

namespace shakedown {

/// What a piece of text means to the eye; only shown where colour is.
enum class Ink { plain, bold, good, caution, bad };

/// The text in its ink, or as it is without colour.
std::string painted(std::string_view text, Ink ink, bool color);

/// One line without control characters, so that a note or a variable can't move the cursor; UTF-8 passes.
std::string one_line(std::string_view text);

/// Characters of a UTF-8 text (code points; every one counts as one column).
std::size_t width_of(std::string_view text);

/// Breaks at spaces so that lines stay within `columns` (at least 40) where words allow; later lines begin with
/// `indent`. Ended by a newline.
std::string wrapped(std::string_view text, int columns, std::string_view indent = "");

/// "1 rank", "2 ranks".
std::string counted(std::uint64_t count, std::string_view noun);

/// Seconds with two decimals in the unit that suits: "12.34 us"; "n/a" when not finite.
std::string format_time(double seconds);

/// GB/s (10^9) without the unit; "<0.001" rather than a zero that is none; "n/a" when not finite.
std::string format_bandwidth(BytesPerSecond bandwidth, int decimals);

}  // namespace shakedown
