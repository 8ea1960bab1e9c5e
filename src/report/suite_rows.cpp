// SPDX-License-Identifier: Apache-2.0
#include "report/suite_rows.h"

#include <cmath>

#include "shakedown/math/gemm_cost.h"

namespace shakedown {
namespace {

/// Null when the entry was not measured: the index is of what came, so it is not trusted to be of this shape.
const GemmResult* result_of(const SuiteEntry& entry, const std::vector<GemmResult>& results) {
  if (entry.result >= results.size()) return nullptr;
  const GemmResult& result = results[entry.result];
  const bool good = result.status == RowStatus::ok && result.verified.value_or(true) && result.shape == entry.shape &&
                    std::isfinite(result.rate.mean) && result.rate.mean > 0;
  return good ? &result : nullptr;
}

}  // namespace

std::vector<SuiteRow> suite_rows(const SuiteSummary& suite, const std::vector<GemmResult>& results) {
  std::vector<SuiteRow> rows;
  std::optional<double> all = 0.0;
  for (const SuiteEntry& entry : suite.entries) {
    SuiteRow row;
    row.entry = &entry;
    if (const GemmResult* result = result_of(entry, results)) {
      row.rate = result->rate.mean;
      row.seconds = entry.count * operations_of(entry.shape) / (*row.rate * 1e12);
      if (all) *all += *row.seconds;
    } else {
      all.reset();
    }
    rows.push_back(row);
  }
  if (all && *all > 0) {
    for (SuiteRow& row : rows) row.of_time = *row.seconds / *all;
  }
  return rows;
}

}  // namespace shakedown
