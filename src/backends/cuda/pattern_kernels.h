// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "shakedown/base/dtype.h"
#include "shakedown/math/check_pattern.h"

namespace shakedown {

/// Where kernels go, and how many blocks fill this GPU.
struct KernelQueue {
  cudaStream_t stream{};
  unsigned blocks{1};
};

/// What a comparison counts, in device memory; starts as {0, no_index}.
struct MismatchCount {
  static constexpr unsigned long long no_index = ~0ull;
  unsigned long long wrong{0};
  unsigned long long first_index{no_index};
};

/// Queues: element i of `data` becomes rank's contribution. Any alignment; 16 bytes is fast. Returns the launch's
/// status.
cudaError_t queue_fill(const KernelQueue& queue, void* data, DataType type, std::uint64_t count,
                       const CheckPattern& pattern, std::uint32_t rank);

/// Queues: every element of `data` is compared, bit for bit, with the pattern's sum, and the wrong ones are added to
/// `*found` (device memory).
cudaError_t queue_check(const KernelQueue& queue, const void* data, DataType type, std::uint64_t count,
                        const CheckPattern& pattern, MismatchCount* found);

}  // namespace shakedown
