// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "options.h"
#include "shakedown/model/gemm_report.h"

namespace shakedown {

/// The checks of a finished, or interrupted, report; --require turns a warning or an unknown into a failure.
std::vector<Check> checks_of(const GemmReport& report, const Options& options);

}  // namespace shakedown
