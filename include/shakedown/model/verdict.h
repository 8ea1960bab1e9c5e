// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shakedown {

enum class CheckStatus { pass, warn, fail, unknown };

/// One question about a run, with its answer.
struct Check {
  std::string id;  ///< "data", "min_busbw", ...
  CheckStatus status{CheckStatus::unknown};
  std::string message;
};

/// The answer to the whole run. Unknown is never a pass.
struct Verdict {
  CheckStatus status{CheckStatus::unknown};
  std::vector<std::string> reasons;  ///< of every check that did not pass
  int unknown{};                     ///< how many checks could not be answered
};

/// Fail if any check failed; else warn if any warned; else pass if at least one passed; else unknown.
Verdict judge(const std::vector<Check>& checks);

/// "pass", "warn", "fail", "unknown".
std::string_view name_of(CheckStatus status);

}  // namespace shakedown
