// SPDX-License-Identifier: Apache-2.0
#include "shakedown/model/verdict.h"

#include <algorithm>

namespace shakedown {

Verdict judge(const std::vector<Check>& checks) {
  const auto count = [&](CheckStatus status) {
    return std::count_if(checks.begin(), checks.end(), [&](const Check& check) { return check.status == status; });
  };
  Verdict verdict;
  verdict.unknown = static_cast<int>(count(CheckStatus::unknown));
  for (const CheckStatus status : {CheckStatus::fail, CheckStatus::warn, CheckStatus::pass}) {
    if (count(status) == 0) continue;
    verdict.status = status;
    break;
  }
  // The gravest first: a reader who stops early has read what matters.
  for (const CheckStatus status : {CheckStatus::fail, CheckStatus::warn, CheckStatus::unknown}) {
    for (const Check& check : checks) {
      if (check.status == status) verdict.reasons.push_back(check.message);
    }
  }
  return verdict;
}

std::string_view name_of(CheckStatus status) {
  switch (status) {
    case CheckStatus::pass:
      return "pass";
    case CheckStatus::warn:
      return "warn";
    case CheckStatus::fail:
      return "fail";
    case CheckStatus::unknown:
      return "unknown";
  }
  return "unknown";
}

}  // namespace shakedown
