// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shakedown/model/gemm_report.h"

namespace shakedown {

/// The shape that is best by one statistic; rates as in RateStatistics.
struct BestShape {
  double rate{};
  GemmShape shape;
};

/// What the shapes of one kind, on one device and in one mode, say together.
struct GemmSummary {
  GemmKind kind;
  GemmMode mode{GemmMode::burst};
  std::optional<DeviceInfo> device;  ///< none on the CPU
  std::string host;
  std::uint64_t tried{}, measured{}, skipped{}, failed{};  ///< shapes; tried is the sum of the others
  std::optional<BestShape> mean, median, max;              ///< best by each; the first of equals
  std::optional<double> arithmetic_mean, geometric_mean;   ///< of the measured shapes' means
};

/// One a kind, device and mode, in the order of their first results. A shape that was measured again counts with its
/// last good result, and then only such shapes can be best: the first measurement of many shapes flatters some. Results
/// that are not ok, wrong, not finite, or above a peak that is no estimate do not count as measured.
std::vector<GemmSummary> summaries_of(const GemmReport& report);

/// Different shapes.
std::uint64_t count_shapes(const std::vector<ScreenedShape>& screened);

}  // namespace shakedown
