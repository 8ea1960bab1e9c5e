// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "engines.h"
#include "plan.h"

namespace shakedown {

/// What --dry-run prints for this machine: opens the first device, and measures nothing.
std::string describe_run(const Options& options, const AskedShapes& asked, MatrixModules& modules);

}  // namespace shakedown
