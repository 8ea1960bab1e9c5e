// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "options.h"
#include "shakedown/math/shape_grid.h"

namespace shakedown {

/// Each of these reads one option's text and throws UsageError with what was given and what is allowed.

/// Without duplicates; `all` is told apart.
std::vector<GemmType> parse_types(const std::vector<std::string>& names, bool& all);
Accumulation parse_accumulation(const std::string& text);
GemmLayout parse_layout(const std::string& text);
GemmData parse_data(const std::string& text);
std::vector<GemmMode> parse_protocol(const std::string& text);
MinimumRate parse_minimum_rate(const std::string& text);
/// Words, each with one number or several between commas.
std::vector<std::uint64_t> parse_dimensions(const std::vector<std::string>& words, const std::string& option);
/// Three numbers, also between commas.
DimensionRange parse_range(const std::vector<std::string>& words, const std::string& option);
/// "2048x4096x15360,8192x8192x8192"
std::vector<GemmShape> parse_shape_list(const std::string& text, const std::string& option);
DeviceChoice parse_devices(const std::string& text);

}  // namespace shakedown
