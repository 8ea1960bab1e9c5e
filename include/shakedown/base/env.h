// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace shakedown {

/// Reads an environment variable; nothing where it is not set. A parameter, so that tests need no real environment.
using EnvLookup = std::function<std::optional<std::string>(const std::string&)>;

/// The real environment.
EnvLookup process_environment();

}  // namespace shakedown
