// SPDX-License-Identifier: Apache-2.0
#include "shakedown/model/collective_report.h"

#include <cmath>
#include <limits>

namespace shakedown {
namespace {

std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) {
  return a > std::numeric_limits<std::uint64_t>::max() - b ? std::numeric_limits<std::uint64_t>::max() : a + b;
}

/// What a row is ranked by: bus bandwidth, or payload over time for one rank.
double score(const CollectiveRow& row) { return row.busbw.value_or(row.algbw).value; }

/// A fast way to wrong data is no result.
bool may_be_best(const CollectiveRow& row) {
  return row.status == RowStatus::ok && row.wrong.value_or(0) == 0 && std::isfinite(score(row));
}

}  // namespace

std::string_view name_of(Timing timing) {
  switch (timing) {
    case Timing::pipelined:
      return "pipelined";
    case Timing::blocking:
      return "blocking";
    case Timing::graph:
      return "graph";
  }
  return "unknown";
}

CollectiveSummary CollectiveReport::summary() const {
  CollectiveSummary summary;
  const CollectiveRow* best = nullptr;
  for (const CollectiveRow& row : rows) {
    if (row.checked) ++summary.rows_checked;
    summary.wrong = saturating_sum(summary.wrong, row.wrong.value_or(0));
    if (may_be_best(row) && (best == nullptr || score(row) > score(*best))) best = &row;
  }
  if (best != nullptr) {
    summary.best_busbw = best->busbw;
    summary.best_algbw = best->algbw;
    summary.best_bytes = best->bytes;
  }
  return summary;
}

}  // namespace shakedown
