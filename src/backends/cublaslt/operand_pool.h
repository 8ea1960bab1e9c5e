// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cublaslt/operand_kernels.h"
#include "backends/cuda/cuda_handles.h"
#include "shakedown/base/gemm_kind.h"

namespace shakedown {

/// Device memory full of one operand's values; every shape's matrices are views of it.
class OperandPool {
 public:
  struct Contents {
    OperandFormat format;
    GemmData data;
    std::uint64_t seed;
  };

  /// Empties the pool; what it is filled with from now on.
  void reset(const Contents& contents, const char* name);
  /// Grows to at least so many bytes, filled anew; the old address is gone then. Throws Error.
  void require(std::uint64_t bytes, cudaStream_t stream);

  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(memory_.get()); }
  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  Contents contents_{};
  const char* name_{""};
  UniqueMemory memory_;
  std::uint64_t size_{0};
};

/// Where the matrices of one shape lie: `places` sets, each matrix at a multiple of 256 bytes, which is the alignment
/// that cuBLASLt takes for granted.
struct OperandPlan {
  int places{};
  std::uint64_t a_stride{}, b_stride{}, d_stride{};
};

/// Enough places that A and B together fill `cache` twice, and at least two. Strides saturate.
OperandPlan plan_operands(const GemmKind& kind, const GemmShape& shape, std::uint64_t cache);

/// Bytes of all of a plan's places; saturates at 2^64 - 1.
std::uint64_t bytes_of(const OperandPlan& plan);

}  // namespace shakedown
