// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "shakedown/base/device_info.h"
#include "shakedown/base/units.h"

namespace shakedown {

/// Names and values in a fixed order.
using NamedValues = std::vector<std::pair<std::string, std::string>>;

/// One rank of the run, and where it ran.
struct RankInfo {
  int rank{};
  int local_rank{};
  std::string host;
  int pid{};
  std::optional<DeviceInfo> device;  ///< none on the CPU
};

/// Everything about the surroundings that makes two reports comparable without the binary.
struct RunContext {
  std::string backend;         ///< "cuda" or "cpu"
  std::string backend_reason;  ///< why auto took it
  std::vector<RankInfo> ranks;
  NamedValues versions;     ///< "driver", "cuda_runtime", "nccl", "nccl_path", "mpi", ... as found at run time
  NamedValues environment;  ///< an allow-list, never the whole environment
  std::vector<std::string>
      notices;  ///< what a reader should know of this setting, e.g. variables that differ between ranks
};

/// What every report starts with.
struct RunHeader {
  static constexpr int schema_version = 1;
  std::string tool;
  std::string tool_version;
  bool complete{false};
  std::string started_at;  ///< UTC, ISO 8601
  Seconds duration{};
  std::vector<std::string> command;
  std::string notes;
};

}  // namespace shakedown
