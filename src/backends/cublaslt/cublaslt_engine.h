// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/cublaslt/batch_queue.h"
#include "backends/cublaslt/device_check.h"
#include "backends/cublaslt/lt_check.h"
#include "backends/cublaslt/lt_problem.h"
#include "backends/cublaslt/operand_pool.h"
#include "backends/cuda/cuda_handles.h"
#include "shakedown/gemm/matrix_engine.h"

namespace shakedown {

/// A shape, one of its algorithms, and where its next call finds its operands.
class LtPrepared final : public PreparedGemm {
 public:
  LtPrepared(std::shared_ptr<LtProblem> problem, std::size_t offer, const OperandPlan& plan)
      : problem_(std::move(problem)), offer_(offer), plan_(plan) {}
  [[nodiscard]] const GemmShape& shape() const override { return problem_->shape(); }
  [[nodiscard]] const std::string& algorithm() const override { return problem_->offers()[offer_].name; }
  [[nodiscard]] int places() const override { return static_cast<int>(plan_.places); }

  [[nodiscard]] LtProblem& problem() const { return *problem_; }
  [[nodiscard]] std::size_t offer() const { return offer_; }
  [[nodiscard]] const OperandPlan& plan() const { return plan_; }
  /// The operands of the next call; each call has the place after the last one's.
  [[nodiscard]] DeviceOperands place(const Operands& operands) const;
  void advance() { ++calls_; }

 private:
  std::shared_ptr<LtProblem> problem_;
  std::size_t offer_;
  OperandPlan plan_;
  std::uint64_t calls_{0};
};

/// One GPU through cuBLASLt. All its work is in one stream.
class CublasLtEngine final : public MatrixEngine {
 public:
  /// Makes this the calling thread's current device. Throws Unavailable when there is no such GPU or it can't be used.
  explicit CublasLtEngine(int index);
  ~CublasLtEngine() override;
  CublasLtEngine(const CublasLtEngine&) = delete;
  CublasLtEngine& operator=(const CublasLtEngine&) = delete;

  [[nodiscard]] const EngineInfo& info() const override { return info_; }
  [[nodiscard]] Bytes free_memory() const override;
  [[nodiscard]] std::string refusal(const GemmKind& kind) const override;
  [[nodiscard]] std::string refusal(const GemmKind& kind, const GemmShape& shape) const override;
  [[nodiscard]] Bytes memory_for(const GemmKind& kind, const GemmShape& shape) const override;
  void load(const GemmKind& kind, GemmData data, std::uint64_t seed, Bytes room) override;
  std::vector<GemmAlgorithm> algorithms(const GemmShape& shape, int most) override;
  std::unique_ptr<PreparedGemm> prepare(const GemmShape& shape, const GemmAlgorithm& algorithm) override;
  void start(PreparedGemm& gemm, int calls) override;
  BatchReading finish() override;
  std::vector<double> run_flushed(PreparedGemm& gemm, int calls) override;
  GemmVerification verify(PreparedGemm& gemm, int samples, std::uint64_t seed) override;
  Telemetry* telemetry() override { return telemetry_.get(); }

  [[nodiscard]] cudaStream_t stream() const { return stream_.get(); }
  /// Of the last load(). Throws Error before it.
  [[nodiscard]] Operands& operands();
  /// Queues one product at the place that comes next, and tells which that was.
  DeviceOperands multiply(PreparedGemm& gemm);

 private:
  /// What a load() made.
  struct Loaded {
    GemmKind kind;
    Bytes room;
    Operands operands;
  };
  Loaded& loaded(const char* doing);
  /// Of the shape that was asked for last, so that listing and preparing ask cuBLASLt once.
  std::shared_ptr<LtProblem> problem_of(const GemmShape& shape);
  /// Ready to run: its operands are in place.
  LtPrepared& ready(PreparedGemm& gemm);
  DeviceOperands queue_product(LtPrepared& gemm);
  void queue_rewrite(const LtPrepared& gemm, std::byte* d);

  EngineInfo info_;
  std::unique_ptr<Telemetry> telemetry_;
  LtHandle handle_;
  UniqueStream stream_;
  UniqueMemory workspace_;
  UniqueMemory flushed_;  ///< what run_flushed() writes between calls; made by its first
  std::unique_ptr<BatchQueue> batches_;
  std::optional<Loaded> loaded_;
  std::shared_ptr<LtProblem> last_problem_;
};

}  // namespace shakedown
