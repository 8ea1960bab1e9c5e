// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

#include "backends/cuda/cuda_handles.h"
#include "shakedown/base/device_info.h"
#include "shakedown/base/units.h"

namespace shakedown {

/// Makes GPU `index` the calling thread's current device, with a context. Throws Unavailable when there is no such GPU
/// or it cannot be used.
cudaDeviceProp open_gpu(int index);

DeviceInfo describe_gpu(int index, const cudaDeviceProp& properties);

/// Of the current device, less a reserve.
Bytes free_gpu_memory();

/// Plain device memory: managed memory would be measured while it migrates. Throws Error that starts with `doing`.
UniqueMemory device_memory(std::size_t bytes, const std::string& doing);

}  // namespace shakedown
