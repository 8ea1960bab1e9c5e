// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "compare.h"

namespace shakedown {

/// Targets and results as texts between ranks. All ranks run one program, so enumerations travel as numbers.

std::string pack(const std::vector<CompareTarget>& targets);
std::vector<CompareTarget> unpack_targets(const std::string& text);

/// What rank 0 needs of another rank's result for the target that both know.
std::string pack(const GemmResult& result, const std::string& chip);
struct RemoteResult {
  GemmResult result;  ///< with the target's kind, mode and shape left open
  std::string chip;
};
RemoteResult unpack_result(const std::string& text);

}  // namespace shakedown
