// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "shakedown/base/units.h"

namespace shakedown {

/// Reads a size: digits, an optional fraction, an optional suffix in any case. K M G T and KiB MiB GiB TiB are powers
/// of 1024, KB MB GB TB powers of 1000, B or nothing is bytes. The result must be a whole number of bytes below 2^63.
/// Throws UsageError, which repeats the text and names `what` (e.g. "--min-bytes") and what is allowed.
Bytes parse_size(std::string_view text, std::string_view what);

/// The size in the largest binary unit that shows it exactly in at most two decimals, else in bytes: "64 KiB", "1.5
/// GiB", "37748744 B".
std::string format_size(Bytes size);

/// The size to one decimal in the largest binary unit, for amounts that nobody chose: "138.3 GiB".
std::string approximate_size(Bytes size);

}  // namespace shakedown
