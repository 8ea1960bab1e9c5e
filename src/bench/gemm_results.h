// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "bench/gemm_meter.h"
#include "shakedown/bench/gemm_bench.h"

namespace shakedown {

/// The result of a series: rates, interval of the median, drift. Sustained windows are joined until neighbours no
/// longer go together (lag-1 autocorrelation below 0.3), since the interval assumes independent samples.
GemmResult result_of(const GemmBench& bench, GemmMode mode, const PreparedGemm& gemm, const GemmSeries& series);

/// A row that was not measured.
GemmResult unmeasured(const GemmBench& bench, GemmMode mode, const GemmShape& shape, RowStatus status,
                      const std::string& reason);

/// Compares sampled elements with dot products and writes what was found into the result: `verified`, and failed with
/// the reason where the product is wrong.
void verify_result(const GemmBench& bench, PreparedGemm& gemm, GemmResult& result);

/// The report's entry for this kind and device; made when it is not there yet.
BestGemm& best_entry(const GemmBench& bench);

/// The entry's place for this mode.
std::optional<GemmResult>& best_in_mode(const GemmBench& bench, GemmMode mode);

/// Takes the result for its mode where it is the best so far and may be: ok, not found wrong, and on a GPU not above
/// the peak (such a result gets a remark, and on the CPU, whose peak is our estimate, it stays).
void offer_best(const GemmBench& bench, GemmResult& result);

}  // namespace shakedown
