// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "shakedown/base/clock.h"
#include "shakedown/base/error.h"
#include "shakedown/gemm/matrix_engine.h"
#include "shakedown/math/gemm_cost.h"

namespace shakedown {

/// Time that passes only when somebody sleeps or a chip works.
class TurnedClock final : public Clock {
 public:
  [[nodiscard]] Seconds now() const override { return now_; }
  void pass(Seconds time) { now_ += time; }

 private:
  Seconds now_{};
};

/// How a scripted chip behaves; rates in 10^12 operations a second.
struct ChipScript {
  std::function<double(const GemmShape&, std::size_t algorithm)> cool_rate;
  /// What is left of it when the chip is soaked; it may order shapes differently.
  std::function<double(const GemmShape&, std::size_t algorithm)> soaked_share = [](const auto&, auto) { return 0.82; };
  std::function<bool(const GemmShape&, std::size_t algorithm)> is_wrong = [](const auto&, auto) { return false; };
  std::size_t algorithms{3};
  double noise{0.001};  ///< standard deviation of a batch, as a fraction
  Seconds heats_in{0.5};
  Seconds cools_in{0.02};
  std::uint64_t most_bytes{16ull << 30};
  double highest_clock_mhz{1980};  ///< that the sensors ever show
};

/// A chip that is held by its power, as a real one is: how fast a product runs depends on what ran before. Its time is
/// the turned clock's, so that minutes of searching take milliseconds.
class ScriptedChip final : public MatrixEngine {
 public:
  ScriptedChip(ChipScript script, TurnedClock& clock) : script_(std::move(script)), clock_(clock), sensors_(*this) {
    info_.device = DeviceInfo{0, "Scripted chip", "GPU-scripted", "0000:00:00.0", Bytes{script_.most_bytes}};
    info_.chip = "Scripted chip";
    info_.library = "script";
    info_.units = 132;
    info_.max_clock_mhz = 1980;
    info_.cache = Bytes{50 << 20};
  }

  [[nodiscard]] const EngineInfo& info() const override { return info_; }
  [[nodiscard]] Bytes free_memory() const override { return Bytes{script_.most_bytes - room_.count}; }
  [[nodiscard]] std::string refusal(const GemmKind&) const override { return {}; }
  [[nodiscard]] std::string refusal(const GemmKind&, const GemmShape& shape) const override {
    return shape.m % 8 == 0 ? "" : "m must be a multiple of 8";
  }
  [[nodiscard]] Bytes memory_for(const GemmKind& kind, const GemmShape& shape) const override {
    return Bytes{2 * input_bytes_of(shape, kind.type).count + output_bytes_of(shape, kind.type).count};
  }
  void load(const GemmKind&, GemmData, std::uint64_t seed, Bytes room) override {
    clock_.pass(Seconds{0.05});
    seeds.push_back(seed);
    room_ = room;
  }
  std::vector<GemmAlgorithm> algorithms(const GemmShape&, int most) override {
    std::vector<GemmAlgorithm> all;
    for (std::size_t i = 0; i < std::min(script_.algorithms, static_cast<std::size_t>(most)); ++i)
      all.push_back({i, "algorithm " + std::to_string(i), 1, Bytes{}});
    return all;
  }
  std::unique_ptr<PreparedGemm> prepare(const GemmShape& shape, const GemmAlgorithm& algorithm) override {
    if (memory_for({}, shape) > room_) throw Error("the shape does not fit into what was loaded");
    return std::make_unique<Ready>(shape, algorithm.id);
  }
  void start(PreparedGemm& gemm, int calls) override {
    const auto& ready = static_cast<const Ready&>(gemm);
    cool_until_now();
    const double cool = script_.cool_rate(ready.shape_, ready.id_);
    const double soaked = cool * script_.soaked_share(ready.shape_, ready.id_);
    const double factor = 1 + script_.noise * normal_(random_);
    const Seconds per_call{operations_of(ready.shape_) / ((cool + heat_ * (soaked - cool)) * factor * 1e12)};
    const Seconds time = per_call * calls;
    heat_ = 1 - (1 - heat_) * std::exp(-(time / script_.heats_in));
    clock_.pass(time);
    worked_until_ = clock_.now();
    batches_.push_back({.per_call = per_call, .clock_mhz = 1980 - 600 * heat_});
    most_in_flight = std::max(most_in_flight, batches_.size());
  }
  BatchReading finish() override {
    const BatchReading reading = batches_.front();
    batches_.pop_front();
    return reading;
  }
  std::vector<double> run_flushed(PreparedGemm& gemm, int calls) override {
    std::vector<double> seconds;
    for (int i = 0; i < calls; ++i) {
      start(gemm, 1);
      seconds.push_back(finish().per_call.count());
      clock_.pass(Seconds{0.0001});
    }
    return seconds;
  }
  GemmVerification verify(PreparedGemm& gemm, int samples, std::uint64_t) override {
    const auto& ready = static_cast<const Ready&>(gemm);
    const bool wrong = script_.is_wrong(ready.shape_, ready.id_);
    return {.checked = static_cast<std::uint64_t>(samples),
            .wrong = wrong ? 1u : 0u,
            .worst = wrong ? 9.0 : 0.1,
            .first_wrong = wrong ? "row 0, column 0: got 0, expected 5, allowed 0.1" : ""};
  }
  Telemetry* telemetry() override { return &sensors_; }

  std::vector<std::uint64_t> seeds;  ///< of each load
  std::size_t most_in_flight{0};

 private:
  struct Ready final : PreparedGemm {
    Ready(const GemmShape& shape, std::size_t id) : shape_(shape), id_(id), name_("algorithm " + std::to_string(id)) {}
    [[nodiscard]] const GemmShape& shape() const override { return shape_; }
    [[nodiscard]] const std::string& algorithm() const override { return name_; }
    [[nodiscard]] int places() const override { return 2; }
    GemmShape shape_;
    std::size_t id_;
    std::string name_;
  };
  class Sensors final : public Telemetry {
   public:
    explicit Sensors(ScriptedChip& chip) : chip_(chip) {}
    TelemetryReading read() override {
      chip_.cool_until_now();
      TelemetryReading reading;
      reading.clock_mhz = std::min(chip_.script_.highest_clock_mhz, 1980 - 600 * chip_.heat_);
      reading.power_w = 100 + 600 * chip_.heat_;
      reading.temperature_c = 60;
      if (chip_.heat_ > 0.5) reading.throttle = {"sw_power_cap"};
      return reading;
    }
    [[nodiscard]] std::optional<double> power_limit_w() const override { return 700; }

   private:
    ScriptedChip& chip_;
  };

  void cool_until_now() {
    heat_ *= std::exp(-((clock_.now() - worked_until_) / script_.cools_in));
    worked_until_ = clock_.now();
  }

  ChipScript script_;
  TurnedClock& clock_;
  EngineInfo info_;
  Sensors sensors_;
  Bytes room_{};
  double heat_{0};
  Seconds worked_until_{};
  std::deque<BatchReading> batches_;
  std::mt19937_64 random_{1};
  std::normal_distribution<double> normal_;
};

}  // namespace shakedown
