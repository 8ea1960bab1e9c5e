// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "shakedown/base/env.h"

namespace shakedown {

/// A line for each variable that changes how cuBLAS multiplies, and is set.
std::vector<std::string> notices_of(const EnvLookup& environment);

}  // namespace shakedown
