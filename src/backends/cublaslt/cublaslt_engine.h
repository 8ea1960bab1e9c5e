// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/cublaslt/batch_queue.h"
#include "backends/cublaslt/lt_problem.h"
#include "backends/cublaslt/operand_pool.h"
#include "shakedown/gemm/matrix_engine.h"

namespace shakedown {

/// One GPU through cuBLASLt. All its work is in one stream, and it belongs to the thread that made it.
class CublasLtEngine final : public MatrixEngine {
 public:
  /// Throws Unavailable when there is no such GPU or it cannot be used.
  explicit CublasLtEngine(int index);
  ~CublasLtEngine() override;

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

 private:
  class Ready;
  Ready& mine(PreparedGemm& gemm) const;
  const std::shared_ptr<LtProblem>& problem_of(const GemmShape& shape);
  void launch(Ready& gemm);
  std::vector<double> vector_of(const Ready& gemm, bool second, int place, std::uint64_t index) const;

  EngineInfo info_;
  int compute_capability_{};
  UniqueStream stream_;
  LtHandle handle_;
  UniqueMemory workspace_;
  std::unique_ptr<Telemetry> telemetry_;
  std::unique_ptr<BatchQueue> batches_;
  GemmKind kind_;
  OperandPool a_, b_, d_;
  UniqueMemory a_scales_, b_scales_;
  UniqueMemory flush_;
  std::map<GemmShape, std::shared_ptr<LtProblem>> problems_;
};

}  // namespace shakedown
