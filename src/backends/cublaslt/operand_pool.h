// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "backends/cublaslt/operand_kernels.h"
#include "backends/cublaslt/operand_plan.h"
#include "backends/cuda/cuda_handles.h"
#include "shakedown/base/gemm_kind.h"

namespace shakedown {

/// Device memory full of one operand's values, which depend on their position alone; every shape's matrices are views
/// of it, so that a shape costs no filling.
class OperandPool {
 public:
  struct Contents {
    OperandFormat format{};
    GemmData data{};
    std::uint64_t seed{};
    bool filled{true};  ///< false for D, which is only written
  };

  OperandPool() = default;
  OperandPool(const Contents& contents, const char* name) : contents_(contents), name_(name) {}
  /// Grows to at least so many bytes; the old address is gone then, and nobody may be using it. Throws Error.
  void grow_to(std::uint64_t bytes, cudaStream_t stream);
  void release();

  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(memory_.get()); }
  [[nodiscard]] std::uint64_t size() const { return size_; }

 private:
  Contents contents_;
  const char* name_{""};
  UniqueMemory memory_;
  std::uint64_t size_{0};
};

/// All operands of one kind of product.
class Operands {
 public:
  Operands(GemmType type, GemmData data, std::uint64_t seed);
  /// Makes room of so many bytes for each of A, B and D. Throws Error.
  void reserve(std::uint64_t bytes, cudaStream_t stream);
  /// Makes room for the plan; waits for the stream only where something grows. When memory is short, what larger shapes
  /// had is given up for it, and taken again when they run. Throws Error when that is not enough, too.
  void require(const OperandPlan& plan, cudaStream_t stream);

  [[nodiscard]] std::byte* a() const { return a_.data(); }
  [[nodiscard]] std::byte* b() const { return b_.data(); }
  [[nodiscard]] std::byte* d() const { return d_.data(); }
  [[nodiscard]] std::byte* a_scales() const { return a_scales_.data(); }
  [[nodiscard]] std::byte* b_scales() const { return b_scales_.data(); }
  [[nodiscard]] std::uint64_t a_size() const { return a_.size(); }

 private:
  void grow(const OperandPlan& plan, cudaStream_t stream);

  OperandPool a_, b_, d_, a_scales_, b_scales_;
};

}  // namespace shakedown
