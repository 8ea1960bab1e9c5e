// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace shakedown {

/// A type's name in lower case without the "torch.", "numpy." or "np." before it, as the tables of names have it.
std::string canonical_spelling(std::string_view name);

}  // namespace shakedown
