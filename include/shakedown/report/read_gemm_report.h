// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shakedown/model/gemm_report.h"

namespace shakedown {

/// What an earlier run measured, and with which values.
struct EarlierGemmRun {
  std::vector<GemmResult> results;
  std::string data;  ///< name_of(GemmData); empty when it is not told
  std::uint64_t seed{};
};
/// An earlier run, from the JSON that render_json wrote; keys that are not known are ignored. Throws
/// UsageError in words for broken JSON, for another tool's report, for another schema_version, and for a result without
/// what it must have.
EarlierGemmRun read_gemm_run(const std::string& json_text);

}  // namespace shakedown
