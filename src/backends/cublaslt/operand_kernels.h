// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "backends/cublaslt/operand_format.h"
#include "shakedown/base/gemm_kind.h"

namespace shakedown {

/// Queues: `bytes` of values that depend on the seed and their position alone. normal: mean 0, deviation 1 (int8: 32);
/// uniform: -1 to 1 (int8: -127 to 127); integers: whole numbers from -4 to 4. Scales are 0.5 for what would be
/// negative, else 1.
cudaError_t queue_values(cudaStream_t stream, void* to, std::uint64_t bytes, OperandFormat format, GemmData data,
                         std::uint64_t seed);

/// Queues: to[i] = from[first + i * stride] for `count` elements of `size` bytes (1, 2, 4 or 8).
cudaError_t queue_gather(cudaStream_t stream, void* to, const void* from, std::size_t size, std::uint64_t first,
                         std::uint64_t stride, std::uint64_t count);

/// A multiprocessor's cycle counter and the global timer (ns) at one moment.
struct ClockStamp {
  std::uint64_t cycles, nanoseconds;
};

/// Queues: each multiprocessor writes its stamp to its own place of `stamps` (`units` places, zeros before).
cudaError_t queue_stamps(cudaStream_t stream, ClockStamp* stamps, int units);

/// Queues: one thread that waits so long, so that the host can queue work behind it meanwhile.
cudaError_t queue_wait(cudaStream_t stream, std::uint64_t nanoseconds);

}  // namespace shakedown
