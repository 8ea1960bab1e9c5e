// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

#include "shakedown/base/gemm_kind.h"
#include "shakedown/gemm/matrix_engine.h"

namespace shakedown {

/// One place of a product's operands, in device memory.
struct DeviceOperands {
  const std::byte* a{};
  const std::byte* b{};
  std::byte* d{};
  const std::byte* a_scales{};  ///< null for kinds without scales
  const std::byte* b_scales{};
};

/// Queues: D is filled with what no product gives: NaNs, or in int32 a number far below any sum.
void queue_poison(cudaStream_t stream, GemmType type, const GemmShape& shape, std::byte* d);

/// Waits for the stream, reads `samples` elements of D back (the corners first, then random ones) and the rows and
/// columns that they come from, and compares. Throws Error on a device failure.
GemmVerification check_product(cudaStream_t stream, const GemmKind& kind, const GemmShape& shape,
                               const DeviceOperands& operands, int samples, std::uint64_t seed);

}  // namespace shakedown
