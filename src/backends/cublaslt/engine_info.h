// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <string>
#include <vector>

#include "shakedown/gemm/matrix_engine.h"

namespace shakedown {

/// What is known of a GPU before it multiplies, and its sensors.
struct GpuFacts {
  EngineInfo info;
  std::unique_ptr<Telemetry> telemetry;  ///< null where NVML is missing
};

/// Of the current device.
GpuFacts read_gpu_facts(int index, const cudaDeviceProp& properties);

}  // namespace shakedown
