// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "options.h"

namespace shakedown {

/// Each of these reads one option's text and throws UsageError with what was given and what is allowed.
Bytes parse_gib(const std::string& text, const std::string& option);
DataType parse_dtype_option(const std::string& text);
Timing parse_timing(const std::string& text);
MinimumBusbw parse_min_busbw(const std::string& text);

}  // namespace shakedown
