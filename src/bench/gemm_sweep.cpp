// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "bench/gemm_results.h"
#include "bench/shape_search.h"
#include "shakedown/base/size_text.h"
#include "shakedown/bench/gemm_bench.h"
#include "shakedown/math/gemm_cost.h"

namespace shakedown {
namespace {

/// Up to so many shapes each is measured whole; of more, all are compared with one sample and the best measured again.
constexpr std::size_t measured_whole = 64;
constexpr std::size_t measured_again = 16;
constexpr double usable_memory = 0.9;
// Looking at algorithms lets the chip rest; its power cap is back within 0.7 s, and its clock swings within one to two.
constexpr Seconds suite_settle{1};
constexpr Seconds suite_stretch{3};

class ShapeSweep {
 public:
  explicit ShapeSweep(const GemmBench& bench) : bench_(bench), meter_(bench), pool_(bench, meter_) {
    // What an earlier sweep loaded is freed by the next load, so it must not count as taken.
    if (bench.engine.refusal(bench.kind).empty()) pool_.load(Bytes{0}, bench.report.protocol.seed);
    usable_ = usable_memory * static_cast<double>(bench.engine.free_memory().count);
  }

  void load(const std::vector<GemmShape>& shapes) {
    std::uint64_t room = 0;
    for (const GemmShape& shape : shapes)
      if (obstacle(shape).empty()) room = std::max(room, bench_.engine.memory_for(bench_.kind, shape).count);
    if (room > 0) pool_.load(Bytes{room}, bench_.report.protocol.seed);
  }

  /// Why the shape can't be measured, in words; empty when it can.
  [[nodiscard]] std::string obstacle(const GemmShape& shape) {
    if (std::string rule = bench_.engine.refusal(bench_.kind, shape); !rule.empty()) return rule;
    const Bytes needed = bench_.engine.memory_for(bench_.kind, shape);
    if (static_cast<double>(needed.count) <= usable_) return {};
    return fmt::format("does not fit: it needs {}, and {} can be had", approximate_size(needed),
                       approximate_size(Bytes{static_cast<std::uint64_t>(usable_)}));
  }

  /// The shape with its fastest algorithm, by one look in burst at each of them.
  std::optional<Candidate> fastest(const GemmShape& shape, bool all_algorithms) {
    const GemmProtocol& protocol = bench_.report.protocol;
    auto offered = bench_.engine.algorithms(shape, all_algorithms ? std::max(1, protocol.algorithms) : 1);
    std::optional<Candidate> best;
    for (const GemmAlgorithm& algorithm : offered) {
      Candidate candidate;
      candidate.shape = shape;
      candidate.algorithm = algorithm;
      if (offered.size() > 1) {
        const auto gemm = pool_.prepare(candidate);
        if (!gemm) continue;
        const Seconds time = meter_.burst_sample(*gemm, protocol.screen_rest).per_call;
        candidate.rates.push_back(operations_of(shape) / time.count() / 1e12);
      }
      if (!best || candidate.rate() > best->rate()) best = candidate;
    }
    return best;
  }

  /// One row, whole: of the fastest algorithm, verified.
  GemmResult measure(GemmMode mode, const Candidate& candidate) {
    const auto gemm = pool_.prepare(candidate);
    if (!gemm) return unmeasured(bench_, mode, candidate.shape, RowStatus::failed, pool_.refused());
    GemmResult result = result_of(bench_, mode, *gemm, series_of(mode, *gemm));
    verify_result(bench_, *gemm, result);
    return result;
  }

  /// One sample of the library's first choice.
  GemmResult glance(const Candidate& candidate) {
    const auto gemm = pool_.prepare(candidate);
    if (!gemm) return unmeasured(bench_, GemmMode::burst, candidate.shape, RowStatus::failed, pool_.refused());
    GemmSeries series;
    series.samples.push_back(meter_.burst_sample(*gemm, bench_.report.protocol.screen_rest));
    series.calls_per_sample = bench_.report.protocol.burst_calls;
    series.stopped_by = "samples";
    return result_of(bench_, GemmMode::burst, *gemm, series);
  }

  void add(GemmResult result) {
    offer_best(bench_, result);
    bench_.report.results.push_back(std::move(result));
    bench_.tools.on_change();
  }

  GemmMeter& meter() { return meter_; }
  ShapePool& pool() { return pool_; }

 private:
  GemmSeries series_of(GemmMode mode, PreparedGemm& gemm) {
    const GemmProtocol& protocol = bench_.report.protocol;
    if (mode == GemmMode::mamf_v2) return meter_.flushed_series(gemm);
    if (mode == GemmMode::burst)
      return meter_.burst_series({&gemm}, protocol.least_samples, 4 * protocol.least_samples).front();
    meter_.soak(gemm, protocol.soak);
    return meter_.sustained_series(gemm, Seconds{0}, protocol.sustained_time);
  }

  const GemmBench& bench_;
  GemmMeter meter_;
  ShapePool pool_;
  double usable_{};  ///< bytes, before the operands take their part
};

/// Where each shape is measured whole, a single look of an earlier sweep doesn't do.
const GemmResult* already_there(const std::vector<GemmResult>& done, const GemmBench& bench, GemmMode mode,
                                const GemmShape& shape, std::uint64_t least_samples) {
  const GemmResult* best = nullptr;
  for (const GemmResult& one : done) {
    if (one.status != RowStatus::ok || one.shape != shape || one.kind != bench.kind || one.mode != mode) continue;
    if (one.time_s.samples < least_samples) continue;
    if (best == nullptr || one.time_s.samples > best->time_s.samples) best = &one;
  }
  return best;
}

void tell(const GemmBench& bench, const char* doing, std::size_t done, std::size_t all) {
  std::string line = fmt::format("{}: {} {} of {}", describe(bench.kind), doing, done, all);
  if (const auto& best = best_in_mode(bench, bench.report.protocol.modes.front()))
    line += fmt::format(", best so far {:.1f} {} at {}", best->rate.median, rate_unit_of(bench.kind.type),
                        format_shape(best->shape));
  bench.tools.progress.update(line);
}

/// Rows of this call that may lead, the fastest first.
std::vector<GemmResult> leaders(const GemmBench& bench, std::size_t first_row, std::size_t count) {
  std::vector<GemmResult> rows;
  for (std::size_t i = first_row; i < bench.report.results.size(); ++i) {
    const GemmResult& row = bench.report.results[i];
    const bool impossible = !bench.peak.estimated && bench.peak.is_exceeded_by(row.rate.median, row.clock_mhz);
    if (row.status == RowStatus::ok && !impossible) rows.push_back(row);
  }
  std::stable_sort(rows.begin(), rows.end(),
                   [](const GemmResult& a, const GemmResult& b) { return a.rate.median > b.rate.median; });
  if (rows.size() > count) rows.resize(count);
  return rows;
}

void sweep_rows(const GemmBench& bench, ShapeSweep& sweep, const std::vector<GemmShape>& shapes,
                const std::vector<GemmResult>& done, bool whole) {
  const GemmMode mode = bench.report.protocol.modes.front();
  const auto least =
      static_cast<std::uint64_t>(whole && mode == GemmMode::burst ? bench.report.protocol.least_samples : 1);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const GemmShape& shape = shapes[i];
    tell(bench, "measuring shape", i + 1, shapes.size());
    bench.tools.board.beat();
    if (const GemmResult* earlier = already_there(done, bench, mode, shape, least)) {
      GemmResult taken = *earlier;
      taken.remark = "from the resumed file";
      sweep.add(taken);
      continue;
    }
    if (std::string reason = sweep.obstacle(shape); !reason.empty()) {
      sweep.add(unmeasured(bench, mode, shape, RowStatus::skipped, reason));
      continue;
    }
    const auto candidate = sweep.fastest(shape, whole);
    if (!candidate) {
      sweep.add(unmeasured(bench, mode, shape, RowStatus::skipped, "the library has no algorithm for it"));
      continue;
    }
    sweep.add(whole || mode != GemmMode::burst ? sweep.measure(mode, *candidate) : sweep.glance(*candidate));
  }
}

}  // namespace

void measure_shapes(const GemmBench& bench, const std::vector<GemmShape>& shapes, const std::vector<GemmResult>& done) {
  const auto& modes = bench.report.protocol.modes;
  ShapeSweep sweep(bench);
  sweep.load(shapes);
  const bool whole = shapes.size() <= measured_whole;
  const std::size_t first_row = bench.report.results.size();
  sweep_rows(bench, sweep, shapes, done, whole);
  if (!whole && modes.front() == GemmMode::burst) {
    // One sample flatters some of so many shapes, so the headline comes from a second measurement alone.
    const std::vector<GemmResult> best = leaders(bench, first_row, measured_again);
    best_in_mode(bench, GemmMode::burst).reset();
    for (std::size_t i = 0; i < best.size(); ++i) {
      tell(bench, "measuring the best shapes again", i + 1, best.size());
      const auto candidate = sweep.fastest(best[i].shape, true);
      if (!candidate) continue;
      GemmResult again = sweep.measure(GemmMode::burst, *candidate);
      again.remark = "one of the best, measured again";
      sweep.add(again);
    }
  }
  const auto best = best_in_mode(bench, modes.front());
  if (!best) return;
  for (std::size_t i = 1; i < modes.size(); ++i) {
    tell(bench, "measuring the best shape sustained", 1, 1);
    const auto candidate = sweep.fastest(best->shape, true);
    if (candidate) sweep.add(sweep.measure(modes[i], *candidate));
  }
}

void measure_suite(const GemmBench& bench, const std::vector<NamedGemm>& gemms) {
  SuiteSummary& suite = bench.report.suite.emplace(bench.report.suite.value_or(SuiteSummary{}));
  suite.kind = bench.kind;
  suite.mode = GemmMode::sustained;
  std::vector<GemmShape> shapes;
  for (const NamedGemm& gemm : gemms)
    if (std::find(shapes.begin(), shapes.end(), gemm.shape) == shapes.end()) shapes.push_back(gemm.shape);
  ShapeSweep sweep(bench);
  sweep.load(shapes);
  bool soaked = false;
  double seconds = 0;
  bool whole = true;
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    tell(bench, "measuring product", i + 1, shapes.size());
    const std::string reason = sweep.obstacle(shapes[i]);
    const auto candidate = reason.empty() ? sweep.fastest(shapes[i], true) : std::nullopt;
    const auto gemm = candidate ? sweep.pool().prepare(*candidate) : nullptr;
    GemmResult result = unmeasured(bench, GemmMode::sustained, shapes[i], RowStatus::skipped,
                                   reason.empty() ? "the library has no algorithm for it" : reason);
    if (gemm) {
      // Looking at algorithms let the chip rest, so it settles again, the first time for longer.
      if (!soaked) sweep.meter().soak(*gemm, bench.report.protocol.soak);
      soaked = true;
      result = result_of(bench, GemmMode::sustained, *gemm,
                         sweep.meter().sustained_series(*gemm, suite_settle, suite_stretch));
      verify_result(bench, *gemm, result);
    }
    whole = whole && result.status == RowStatus::ok;
    const std::size_t row = bench.report.results.size();
    for (const NamedGemm& named : gemms) {
      if (!(named.shape == shapes[i])) continue;
      suite.entries.push_back({.name = named.name, .shape = named.shape, .count = named.count, .result = row});
      suite.operations += named.count * operations_of(named.shape);
      seconds += named.count * result.time_s.mean;
    }
    sweep.add(result);
  }
  if (whole && seconds > 0) suite.harmonic_mean = suite.operations / seconds / 1e12;
  bench.tools.on_change();
}

GemmResult measure_one(const GemmBench& bench, GemmMode mode, const GemmShape& shape, const std::string& algorithm) {
  ShapeSweep sweep(bench);
  if (std::string reason = sweep.obstacle(shape); !reason.empty())
    return unmeasured(bench, mode, shape, RowStatus::skipped, reason);
  sweep.load({shape});
  const auto offered = bench.engine.algorithms(shape, std::max(1, bench.report.protocol.algorithms));
  if (offered.empty()) return unmeasured(bench, mode, shape, RowStatus::skipped, "the library has no algorithm for it");
  const auto same =
      std::find_if(offered.begin(), offered.end(), [&](const GemmAlgorithm& one) { return one.name == algorithm; });
  Candidate candidate;
  candidate.shape = shape;
  candidate.algorithm = same == offered.end() ? offered.front() : *same;
  GemmResult result = sweep.measure(mode, candidate);
  if (same == offered.end() && !algorithm.empty())
    result.remark = "with the library's first choice: it does not offer the algorithm " + algorithm;
  return result;
}

}  // namespace shakedown
