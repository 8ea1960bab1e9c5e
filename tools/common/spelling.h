// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace shakedown {

/// The arguments with underscores in long option names turned into hyphens (--num_iterations), and a value that looks
/// like an option because it is negative (-n -1) joined to its option, so that the error names the value.
std::vector<std::string> normalize_arguments(const std::vector<std::string>& arguments);

/// The known name nearest to `name`, or nothing when none is near.
std::string nearest_name(const std::string& name, const std::vector<std::string>& known);

}  // namespace shakedown
