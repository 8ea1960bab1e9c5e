// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <string_view>

#include "shakedown/base/error.h"

namespace shakedown {

/// What a person can do about a failure of the CUDA runtime; empty where nothing general is known.
inline std::string_view remedy_for(cudaError_t status) {
  switch (status) {
    case cudaErrorMemoryAllocation:
      return "; ask for smaller payloads, and see with nvidia-smi who else uses this GPU";
    case cudaErrorDevicesUnavailable:
      return "; another process holds this GPU exclusively (nvidia-smi -q -d COMPUTE), or it needs a reset";
    case cudaErrorECCUncorrectable:
    case cudaErrorHardwareStackError:
    case cudaErrorIllegalAddress:
    case cudaErrorLaunchFailure:
    case cudaErrorUnknown:
      return "; look for Xid messages of this GPU in dmesg";
    case cudaErrorSystemNotReady:
      return "; start the fabric manager (systemctl status nvidia-fabricmanager)";
    default:
      return "";
  }
}

/// Throws Error, which says what we were doing and what the runtime answered.
inline void check(cudaError_t status, std::string_view doing, Site at = Site::here()) {
  if (status == cudaSuccess) return;
  throw Error(
      fmt::format("{}: {} ({}){}", doing, cudaGetErrorString(status), cudaGetErrorName(status), remedy_for(status)),
      at);
}

}  // namespace shakedown
