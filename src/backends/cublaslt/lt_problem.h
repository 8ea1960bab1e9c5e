// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "backends/cublaslt/lt_check.h"
#include "shakedown/base/gemm_kind.h"
#include "shakedown/base/units.h"

namespace shakedown {

/// cuBLASLt's words for a kind of product.
struct LtTypes {
  cudaDataType_t a, b, d;
  cublasComputeType_t compute;
  cudaDataType_t scale;  ///< of alpha and beta
};
/// Throws Error for a type that this build's toolkit is too old for.
LtTypes lt_types_of(const GemmKind& kind);

/// alpha = 1 and beta = 0 in the scale type.
struct LtScalars {
  explicit LtScalars(cudaDataType_t scale);
  alignas(8) std::byte one[8]{};
  alignas(8) std::byte zero[8]{};
};

/// What cuBLASLt needs to know of one shape, and what its heuristic offers for it. Column-major, as BLAS: D is m x n
/// with leading dimension m, and a transposed A is stored k x m.
class LtProblem {
 public:
  /// `a_scales` and `b_scales` are device memory of the block-scaled types, null for others.
  LtProblem(cublasLtHandle_t handle, const GemmKind& kind, const GemmShape& shape, std::size_t workspace,
            const void* a_scales, const void* b_scales);

  struct Offer {
    cublasLtMatmulAlgo_t algorithm;
    std::string name;
    double waves;
    std::size_t workspace;
  };
  /// The first choice first, without duplicates.
  [[nodiscard]] const std::vector<Offer>& offers() const { return offers_; }
  /// Throws Error where the library refuses what it offered.
  void validate(std::size_t offer) const;
  [[nodiscard]] cublasStatus_t run(std::size_t offer, const void* a, const void* b, void* d, void* workspace,
                                   std::size_t workspace_size, cudaStream_t stream) const;

  [[nodiscard]] const GemmShape& shape() const { return shape_; }

 private:
  cublasLtHandle_t handle_;
  GemmShape shape_;
  LtScalars scalars_;
  LtMatmul matmul_;
  LtLayout a_, b_, d_;
  std::vector<Offer> offers_;
};

}  // namespace shakedown
