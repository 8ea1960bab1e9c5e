// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "shakedown/model/gemm_report.h"

namespace shakedown {

/// A product of a transformer with what was measured of it.
struct SuiteRow {
  const SuiteEntry* entry{};
  /// The mean, since a step takes all of its time, slow samples too; none when it was not measured, or wrong.
  std::optional<double> rate;
  std::optional<double> seconds;  ///< of a step, all times that it runs
  std::optional<double> of_time;  ///< of all products; none until all were measured
};

/// One an entry, in their order.
std::vector<SuiteRow> suite_rows(const SuiteSummary& suite, const std::vector<GemmResult>& results);

}  // namespace shakedown
