// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "shakedown/backends/matrix_module.h"
#include "shakedown/base/clock.h"
#include "shakedown/base/error.h"
#include "shakedown/math/gemm_cost.h"

namespace shakedown {

/// Turned time that several threads may share.
class SharedClock final : public Clock {
 public:
  [[nodiscard]] Seconds now() const override { return Seconds{static_cast<double>(nanoseconds_) * 1e-9}; }
  void pass(Seconds time) { nanoseconds_ += static_cast<std::int64_t>(time.count() * 1e9) + 1; }

 private:
  std::atomic<std::int64_t> nanoseconds_{0};
};

/// How one steady chip behaves.
struct SteadyScript {
  double rate{100};          ///< 10^12 operations a second, always
  std::string broken;        ///< what load() throws; empty where it works
  std::string kind_refusal;  ///< of float64
};

/// A chip whose speed nothing changes, for the tests of what goes on around it.
class SteadyChip final : public MatrixEngine {
 public:
  SteadyChip(SteadyScript script, SharedClock& clock, int index) : script_(std::move(script)), clock_(clock) {
    const std::string number = std::to_string(index);
    info_.device = DeviceInfo{index, "Steady chip", "GPU-" + number, "0000:0" + number + ":00.0", Bytes{1ull << 34}};
    info_.chip = "Steady chip";
    info_.library = "script";
    info_.units = 100;
  }

  [[nodiscard]] const EngineInfo& info() const override { return info_; }
  [[nodiscard]] Bytes free_memory() const override { return Bytes{1ull << 33}; }
  [[nodiscard]] std::string refusal(const GemmKind& kind) const override {
    return kind.type == GemmType::float64 ? script_.kind_refusal : "";
  }
  [[nodiscard]] std::string refusal(const GemmKind&, const GemmShape& shape) const override {
    return shape.m % 8 == 0 ? "" : "m must be a multiple of 8";
  }
  [[nodiscard]] Bytes memory_for(const GemmKind& kind, const GemmShape& shape) const override {
    return input_bytes_of(shape, kind.type);
  }
  void load(const GemmKind&, GemmData, std::uint64_t, Bytes) override {
    if (!script_.broken.empty()) throw Error(script_.broken);
  }
  std::vector<GemmAlgorithm> algorithms(const GemmShape&, int) override { return {{0, "the only one", 1, Bytes{}}}; }
  std::unique_ptr<PreparedGemm> prepare(const GemmShape& shape, const GemmAlgorithm&) override {
    return std::make_unique<Ready>(shape);
  }
  void start(PreparedGemm& gemm, int calls) override {
    const Seconds per_call{operations_of(gemm.shape()) / (script_.rate * 1e12)};
    clock_.pass(per_call * calls);
    batches_.push_back({.per_call = per_call, .clock_mhz = 1000});
  }
  BatchReading finish() override {
    const BatchReading reading = batches_.front();
    batches_.pop_front();
    return reading;
  }
  std::vector<double> run_flushed(PreparedGemm& gemm, int calls) override {
    return std::vector<double>(static_cast<std::size_t>(calls), operations_of(gemm.shape()) / (script_.rate * 1e12));
  }
  GemmVerification verify(PreparedGemm&, int samples, std::uint64_t) override {
    return {.checked = static_cast<std::uint64_t>(samples), .wrong = 0, .worst = 0.1, .first_wrong = ""};
  }
  Telemetry* telemetry() override { return nullptr; }

 private:
  struct Ready final : PreparedGemm {
    explicit Ready(const GemmShape& shape) : shape_(shape) {}
    [[nodiscard]] const GemmShape& shape() const override { return shape_; }
    [[nodiscard]] const std::string& algorithm() const override { return name_; }
    [[nodiscard]] int places() const override { return 2; }
    GemmShape shape_;
    std::string name_{"the only one"};
  };

  SteadyScript script_;
  SharedClock& clock_;
  EngineInfo info_;
  std::deque<BatchReading> batches_;
};

/// Several of them, as a driver shows them.
class SteadyChips final : public MatrixModule {
 public:
  SteadyChips(std::vector<SteadyScript> scripts, SharedClock& clock) : scripts_(std::move(scripts)), clock_(clock) {}

  int device_count(std::string& reason) override {
    if (scripts_.empty()) reason = "no steady chip";
    return static_cast<int>(scripts_.size());
  }
  std::unique_ptr<MatrixEngine> open_engine(int index) override {
    ++opened;
    return std::make_unique<SteadyChip>(scripts_.at(static_cast<std::size_t>(index)), clock_, index);
  }
  [[nodiscard]] NamedValues versions() const override { return {{"steady", "1"}}; }

  std::atomic<int> opened{0};

 private:
  std::vector<SteadyScript> scripts_;
  SharedClock& clock_;
};

}  // namespace shakedown
