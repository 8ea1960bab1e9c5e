// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device_thread.h"
#include "shakedown/bench/gemm_bench.h"
#include "shakedown/comm/session.h"

namespace shakedown {

/// What a comparison fills, and what it borrows.
struct ComparisonRun {
  GemmReport& report;
  const GemmTools& tools;  ///< of the measurements, which show no progress of their own
  Progress& progress;
};

/// The best products on every device of this process: one after the other, then all at once. Devices other than the
/// first get entries among the best, too.
void compare_devices(const ComparisonRun& run, const std::vector<std::unique_ptr<DeviceThread>>& threads);

/// Rank 0's best products on every rank's device, all at once. Rank 0's report is filled.
void compare_ranks(const ComparisonRun& run, Session& session, DeviceThread& thread, const std::string& chip);

}  // namespace shakedown
