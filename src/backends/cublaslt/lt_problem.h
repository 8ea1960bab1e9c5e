// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "backends/cublaslt/lt_check.h"
#include "shakedown/base/gemm_kind.h"

namespace shakedown {

/// cuBLASLt's words for a kind of product.
struct LtTypes {
  cudaDataType_t a, b, d;
  cublasComputeType_t compute;
  cudaDataType_t scale;  ///< of alpha and beta
};
/// Throws Error for a type that this build's toolkit is too old for.
LtTypes lt_types_of(const GemmKind& kind);

/// Why this build's toolkit can't describe the type; empty when it can.
std::string toolkit_refusal(GemmType type);

/// alpha = 1 and beta = 0 in the scale type.
struct LtScalars {
  explicit LtScalars(cudaDataType_t scale);
  alignas(8) std::byte one[8]{};
  alignas(8) std::byte zero[8]{};
};

/// What cuBLASLt needs to know of one shape, and what its heuristic offers for it. Column-major, as BLAS: D is m x n
/// with leading dimension m; a transposed A is stored as k x m, a transposed B as n x k.
class LtProblem {
 public:
  /// The handle must outlive this. Throws Error.
  LtProblem(cublasLtHandle_t handle, const GemmKind& kind, const GemmShape& shape);

  struct Offer {
    cublasLtMatmulAlgo_t algorithm;
    std::string name;
    double waves;
    std::size_t workspace;
  };
  /// The library's first choice first, without duplicates. Empty when it knows none.
  [[nodiscard]] const std::vector<Offer>& offers() const { return offers_; }
  /// Throws Error where the library refuses what it offered.
  void validate(std::size_t offer) const;
  /// Device memory with the scales of the block-scaled types, for the calls of run() that follow.
  void set_scales(const void* a, const void* b);
  /// Queues D = A B. The workspace has workspace_bytes.
  [[nodiscard]] cublasStatus_t run(std::size_t offer, const void* a, const void* b, void* d, void* workspace,
                                   cudaStream_t stream) const;

  [[nodiscard]] const GemmShape& shape() const { return shape_; }

 private:
  void ask_for_offers();

  cublasLtHandle_t handle_;
  GemmKind kind_;
  GemmShape shape_;
  LtScalars scalars_;
  LtMatmul matmul_;
  LtLayout a_, b_, d_;
  std::vector<Offer> offers_;
};

}  // namespace shakedown
