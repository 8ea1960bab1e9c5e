// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "shakedown/model/gemm_report.h"

namespace shakedown {

/// The results of an earlier run, from the JSON that render_json wrote; keys that are not known are ignored. Throws
/// UsageError in words for broken JSON, for another tool's report, for another schema_version, and for a result without
/// what it must have.
std::vector<GemmResult> read_gemm_results(const std::string& json_text);

}  // namespace shakedown
