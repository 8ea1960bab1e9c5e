// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstdint>

#include "shakedown/base/gemm_kind.h"

namespace shakedown {

/// Formats of an operand's elements in memory.
enum class OperandFormat : std::uint8_t { f64, f32, f16, bf16, e4m3, e5m2, s8, e2m1_pairs };

/// Queues: `bytes` of values that depend on the seed and their position alone. normal: mean 0, deviation 1 (int8: 32);
/// uniform: -1 to 1 (int8: -127 to 127); integers: whole numbers from -4 to 4.
cudaError_t queue_values(cudaStream_t stream, void* to, std::uint64_t bytes, OperandFormat format, GemmData data,
                         std::uint64_t seed);

/// A multiprocessor's cycle counter and the global timer (ns) at one moment.
struct ClockStamp {
  std::uint64_t cycles, nanoseconds;
};

/// Queues: each multiprocessor writes its stamp to its own place of `stamps` (`units` places, zeros before).
cudaError_t queue_stamps(cudaStream_t stream, ClockStamp* stamps, int units);

/// Queues: one thread that waits so long, so that the host can queue work behind it meanwhile.
cudaError_t queue_wait(cudaStream_t stream, std::uint64_t nanoseconds);

}  // namespace shakedown
