// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "bench/gemm_meter.h"
#include "shakedown/bench/gemm_bench.h"

namespace shakedown {

/// A shape with one algorithm, and what is known of its speed.
struct Candidate {
  GemmShape shape;
  GemmAlgorithm algorithm;
  std::vector<double> rates;  ///< 10^12 operations a second, in burst, over the drift of the reference
  std::size_t row{};          ///< of report.screened
  bool verified{false};       ///< its product was found right
  [[nodiscard]] double rate() const;
};

/// Everything that a search has looked at, on one engine. A reference product is measured between the others, so that a
/// chip that warms up doesn't rank those first that came first.
class ShapePool {
 public:
  ShapePool(const GemmBench& bench, GemmMeter& meter) : bench_(bench), meter_(meter) {}

  /// Whether the shape can be run at all: rules and memory.
  [[nodiscard]] bool fits(const GemmShape& shape) const;
  /// Fills the operands for every shape that fits() accepts from now on: those that need at most `room`.
  void load(Bytes room, std::uint64_t seed);

  /// Looks once at the shape with the library's first choice. False when it was seen before or can't be run.
  bool add(const GemmShape& shape, Seconds rest);
  /// Looks once at each other algorithm of this candidate's shape until `deadline`.
  void add_algorithms(std::size_t index, Seconds rest, Seconds deadline);
  /// Looks once more. False when it can't be run any more.
  bool look(std::size_t index, Seconds rest);

  [[nodiscard]] Bytes room() const { return room_; }
  [[nodiscard]] const std::vector<Candidate>& all() const { return candidates_; }
  /// Compares the candidate's product with dot products. A wrong one gets a failed row, loses its rates and with them
  /// any lead.
  bool verify(std::size_t index, GemmMode mode);
  /// Indices, the best first.
  [[nodiscard]] std::vector<std::size_t> ranking() const;
  [[nodiscard]] bool seen(const GemmShape& shape) const;
  /// Ready to run, under the operands that are loaded now; its algorithm is found again by name. Null when it is gone.
  [[nodiscard]] std::unique_ptr<PreparedGemm> prepare(const Candidate& candidate) const;
  /// Why the latest prepare() gave none.
  [[nodiscard]] const std::string& refused() const { return refused_; }

 private:
  void measure_reference(Seconds rest);
  void note(Candidate& candidate, const PreparedGemm& gemm, const GemmSample& sample);

  const GemmBench& bench_;
  GemmMeter& meter_;
  Bytes room_{};
  std::vector<Candidate> candidates_;
  std::unique_ptr<PreparedGemm> reference_;
  std::vector<double> reference_rates_;
  int looks_{0};
  mutable std::string refused_;
};

}  // namespace shakedown
