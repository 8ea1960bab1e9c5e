// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "backends/host_matrix/cycle_meter.h"
#include "backends/host_matrix/host_product.h"
#include "backends/host_matrix/operand_memory.h"
#include "shakedown/gemm/matrix_engine.h"

namespace shakedown {

/// A matrix engine on the host's processor: all that does not depend on the library. It computes in start(), in the
/// caller's thread and the library's own, one a physical core.
class HostEngine : public MatrixEngine {
 public:
  [[nodiscard]] const EngineInfo& info() const override { return info_; }
  [[nodiscard]] Bytes free_memory() const override;
  using MatrixEngine::refusal;
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

 protected:
  /// `library` and its own notices, as for EngineInfo; `cpus`: one for each thread that the library will use.
  HostEngine(std::string library, std::vector<std::string> notices, std::vector<int> cpus);
  [[nodiscard]] const std::vector<int>& cpus() const { return cpus_; }
  /// Of a kind that was not refused.
  [[nodiscard]] virtual HostTypes types_of(const GemmKind& kind) const = 0;
  /// Throws Error with the library's own words.
  [[nodiscard]] virtual std::unique_ptr<HostProduct> make_product(const GemmKind& kind,
                                                                  const GemmShape& shape) const = 0;
  /// Puts the library's threads on cpus(); the caller's own is on the first of them already.
  virtual void pin_library_threads() const = 0;

 private:
  /// Operands of one load().
  struct Loaded {
    GemmKind kind;
    HostTypes types;
    Bytes room;
    std::vector<std::byte> a_block, b_block, no_block;
    std::unique_ptr<OperandMemory> a, b, d;  ///< d is shared by all products: what it held before is nobody's business
  };
  Loaded& loaded(const char* doing) const;
  void check_fits(const GemmShape& shape) const;
  void flush_cache();

  EngineInfo info_;
  std::vector<int> cpus_;
  CycleMeter meter_;
  std::unique_ptr<Telemetry> telemetry_;
  std::unique_ptr<Loaded> loaded_;
  std::vector<std::byte> no_block_;
  std::unique_ptr<OperandMemory> flush_;
  std::deque<BatchReading> readings_;
};

/// The physical cores that this process may use, fewer when OMP_NUM_THREADS says so; that is added to `notices`.
std::vector<int> cores_to_use(std::vector<std::string>& notices);

}  // namespace shakedown
