// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "shakedown/gemm/telemetry.h"

namespace shakedown {

/// What a GPU says of itself and does not change.
struct NvmlFacts {
  std::optional<double> max_clock_mhz;
  bool mig{false};
};

/// The sensors of the GPU with this PCI id ("0000:1b:00.0"): NVML numbers GPUs in another order than CUDA. Null where
/// NVML or the GPU is not found; what a GPU does not offer stays empty.
std::unique_ptr<Telemetry> open_nvml_telemetry(const std::string& pci, NvmlFacts& facts);

}  // namespace shakedown
