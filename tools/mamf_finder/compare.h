// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "engines.h"
#include "shakedown/bench/gemm_bench.h"
#include "shakedown/model/gemm_report.h"

namespace shakedown {

/// Marks the row of a device that could not be measured beside the others.
inline constexpr const char* comparison_remark = "measured for the comparison of devices";

/// A product that every device runs, so that they can be compared.
struct CompareTarget {
  GemmKind kind;
  GemmMode mode{GemmMode::sustained};
  GemmShape shape;
  std::string algorithm;
};

/// The best of each kind and mode that the report has.
std::vector<CompareTarget> targets_of(const GemmReport& report);

/// One device's result for the target; a failure is a row with its reason, so that the others are compared all the
/// same.
GemmResult measure_target(EngineSeat& seat, const CompareTarget& target, const GemmProtocol& protocol,
                          const GemmTools& tools);

/// What the comparison keeps of a result. A CPU is named by `chip` and has `rank` as its index.
DeviceReading reading_of(const GemmResult& result, int rank, const std::string& chip);

/// Least, median and largest rate, and who is slower than the others.
DeviceSpread spread_of(const CompareTarget& target, bool together, std::vector<DeviceReading> devices);

}  // namespace shakedown
