// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "shakedown/model/collective_report.h"

/// Hand-made reports that renderers are tested with.
namespace shakedown::samples {

/// A good row: `samples` are seconds of iterations; bandwidths follow from their median.
CollectiveRow row(Bytes bytes, int ranks, const std::vector<double>& samples);
/// A complete run of two CPU ranks on one host, three payloads.
CollectiveReport two_ranks();
/// One rank with a GPU.
CollectiveReport one_rank();
/// Sixteen GPUs on two hosts, blocking; rank 3 is the straggler of the largest payload.
CollectiveReport straggler();
/// two_ranks() with a wrong element.
CollectiveReport wrong_data();
/// two_ranks() with rows that were skipped, failed, rounded and not aligned.
CollectiveReport odd_rows();
/// Stopped in the first warm-up.
CollectiveReport interrupted();
/// --profile-stability over one payload.
CollectiveReport profile();

}  // namespace shakedown::samples
