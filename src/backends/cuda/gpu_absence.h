// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <optional>
#include <string>

namespace shakedown {

/// What the CUDA runtime answered when it was asked for GPUs; a struct, so that every answer can be tested without the
/// machine that gives it.
struct GpuProbe {
  cudaError_t status{cudaSuccess};
  int count{};
  int driver_version{};   ///< 12040 for CUDA 12.4; 0 without a driver
  int runtime_version{};  ///< what this build was made with
  std::optional<std::string>
      visible_devices;  ///< CUDA_VISIBLE_DEVICES, quoted and never read: UUIDs and MIG slices are the driver's
};

/// Why no GPU can be used, in words that tell a missing driver, an old one, a hidden GPU and a machine without GPUs
/// apart.
std::string why_no_gpu(const GpuProbe& probe);

/// GPUs that this process may use; zero, with the reason.
int count_gpus(std::string& reason);

/// "13.0" for 13000.
std::string cuda_version_text(int version);

}  // namespace shakedown
