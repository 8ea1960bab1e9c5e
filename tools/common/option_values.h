// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace shakedown {

/// Each of these reads one option's text and throws UsageError with what was given and what is allowed.
int parse_count(const std::string& text, const std::string& option, int least, int most);
std::uint64_t parse_large_count(const std::string& text, const std::string& option, std::uint64_t least,
                                std::uint64_t most);
double parse_number(const std::string& text, const std::string& option, double least, double most);

/// The words between commas, without blanks around them. An empty one is kept, so that its reader can refuse it; a
/// comma at the end adds none.
std::vector<std::string> split_list(const std::string& text);

}  // namespace shakedown
