// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <memory>
#include <random>

#include "bench/gemm_results.h"
#include "bench/shape_search.h"
#include "shakedown/math/gemm_cost.h"

namespace shakedown {
namespace {

/// The chip needs about this long to settle to another product's power.
constexpr Seconds settle{0.15};
constexpr Seconds settle_again{0.5};
constexpr std::size_t long_stretches = 4;
constexpr Seconds shortest_stretch{0.25};
constexpr Seconds longest_stretch{0.8};
constexpr Seconds longest_long_stretch{1.5};
constexpr double short_share = 0.55;
constexpr int least_rounds = 3;
constexpr int most_rounds = 8;
constexpr int most_confirmations = 24;
/// Below it a headline rests on half of the samples.
constexpr Seconds full_budget{20};

struct Runner {
  Candidate candidate;
  std::unique_ptr<PreparedGemm> gemm;
  double rate{};
};

std::vector<Runner> line_up(const ShapePool& pool, const std::vector<Candidate>& candidates) {
  std::vector<Runner> runners;
  for (const Candidate& candidate : candidates)
    if (auto gemm = pool.prepare(candidate)) runners.push_back({candidate, std::move(gemm), candidate.rate()});
  return runners;
}

std::vector<Candidate> best_first(std::vector<Runner>& runners) {
  std::stable_sort(runners.begin(), runners.end(), [](const Runner& a, const Runner& b) { return a.rate > b.rate; });
  std::vector<Candidate> order;
  order.reserve(runners.size());
  for (const Runner& runner : runners) order.push_back(runner.candidate);
  return order;
}

void report_result(const GemmBench& bench, GemmResult& result) {
  offer_best(bench, result);
  bench.report.results.push_back(result);
  bench.tools.on_change();
}

}  // namespace

std::vector<Candidate> race_in_burst(const GemmBench& bench, GemmMeter& meter, ShapePool& pool,
                                     const std::vector<Candidate>& finalists, Seconds deadline,
                                     const SearchProgress& progress) {
  std::vector<Runner> runners = line_up(pool, finalists);
  if (runners.empty()) return {};
  progress("final race in burst", 0, 0);
  const auto cost = [&](const Runner& runner) {
    const GemmProtocol& protocol = bench.report.protocol;
    const int products = protocol.burst_warmups + protocol.burst_calls;
    return protocol.rest.count() + products * operations_of(runner.candidate.shape) / (runner.rate * 1e12);
  };
  const double left = (deadline - bench.tools.clock.now()).count();
  double round = 0;
  std::vector<PreparedGemm*> gemms;
  for (const Runner& runner : runners) {
    round += cost(runner);
    // A short budget has a smaller race, not a longer one.
    if (!gemms.empty() && least_rounds * round > left) {
      round -= cost(runner);
      break;
    }
    gemms.push_back(runner.gemm.get());
  }
  runners.resize(gemms.size());
  const int rounds = std::clamp(static_cast<int>(left / round), least_rounds, most_rounds);
  const std::vector<GemmSeries> series = meter.burst_series(gemms, rounds, rounds);
  for (std::size_t i = 0; i < runners.size(); ++i) {
    GemmResult result = result_of(bench, GemmMode::burst, *runners[i].gemm, series[i]);
    if (runners[i].candidate.verified) result.verified = true;
    runners[i].rate = result.rate.median;
    report_result(bench, result);
  }
  return best_first(runners);
}

std::vector<Candidate> race_sustained(const GemmBench& bench, GemmMeter& meter, ShapePool& pool,
                                      const std::vector<Candidate>& candidates, TimeBox box,
                                      const SearchProgress& progress) {
  std::vector<Runner> runners = line_up(pool, candidates);
  if (runners.empty()) return {};
  progress("soaking to steady power", 0, 0);
  meter.soak(*runners.front().gemm, bench.report.protocol.soak);
  const double left = (box.at(short_share) - bench.tools.clock.now()).count();
  const Seconds stretch =
      std::clamp(Seconds{left / static_cast<double>(runners.size())} - settle, shortest_stretch, longest_stretch);
  std::shuffle(runners.begin(), runners.end(), std::mt19937_64(bench.report.protocol.seed));
  for (std::size_t i = 0; i < runners.size(); ++i) {
    progress("comparing under sustained power", i + 1, runners.size());
    const GemmResult result = result_of(bench, GemmMode::sustained, *runners[i].gemm,
                                        meter.sustained_series(*runners[i].gemm, settle, stretch));
    runners[i].rate =
        bench.peak.is_exceeded_by(result.rate.mean, result.clock_mhz) && !bench.peak.estimated ? 0 : result.rate.mean;
    bench.report.screened.push_back({.shape = result.shape,
                                     .algorithm = result.algorithm,
                                     .mode = GemmMode::sustained,
                                     .rate = result.rate.mean,
                                     .samples = static_cast<int>(result.time_s.samples)});
    GemmResult interim = result;
    offer_best(bench, interim);
    bench.tools.on_change();
  }
  best_first(runners);
  if (runners.size() > long_stretches) runners.resize(long_stretches);
  const Seconds rest_of_box = box.at(1) - bench.tools.clock.now();
  const Seconds longer =
      std::clamp(rest_of_box / static_cast<double>(std::max<std::size_t>(1, runners.size())) - settle, stretch,
                 longest_long_stretch);
  for (std::size_t i = 0; i < runners.size(); ++i) {
    progress("final race under sustained power", i + 1, runners.size());
    GemmResult result = result_of(bench, GemmMode::sustained, *runners[i].gemm,
                                  meter.sustained_series(*runners[i].gemm, settle, longer));
    if (runners[i].candidate.verified) result.verified = true;
    // Both stretches count: each sees its own part of the clock's swing.
    runners[i].rate =
        (runners[i].rate * stretch.count() + result.rate.mean * longer.count()) / (stretch + longer).count();
    report_result(bench, result);
  }
  return best_first(runners);
}

bool confirm(const GemmBench& bench, GemmMeter& meter, ShapePool& pool, GemmMode mode, const Candidate& winner) {
  const GemmProtocol& protocol = bench.report.protocol;
  std::vector<Runner> runners = line_up(pool, {winner});
  if (runners.empty()) return false;
  for (const GemmShape& shape : protocol.controls) {
    if (!pool.fits(shape)) {
      GemmResult row = unmeasured(bench, mode, shape, RowStatus::skipped,
                                  "a control that breaks a rule of the library, or does not fit into memory");
      bench.report.results.push_back(row);
      continue;
    }
    Candidate control;
    control.shape = shape;
    const auto offered = bench.engine.algorithms(shape, std::max(1, protocol.algorithms));
    if (offered.empty()) continue;
    control.algorithm = offered.front();
    if (auto gemm = pool.prepare(control)) runners.push_back({control, std::move(gemm), 0});
  }
  std::vector<GemmSeries> series;
  if (mode == GemmMode::burst) {
    std::vector<PreparedGemm*> gemms;
    gemms.reserve(runners.size());
    for (const Runner& runner : runners) gemms.push_back(runner.gemm.get());
    const int least = protocol.budget < full_budget ? protocol.least_samples : 2 * protocol.least_samples;
    series = meter.burst_series(gemms, least, std::max(least, most_confirmations));
  } else {
    // Loading the fresh data let the chip rest for a moment alone.
    if (mode == GemmMode::sustained) meter.soak(*runners.front().gemm, protocol.soak / 2);
    for (const Runner& runner : runners)
      series.push_back(mode == GemmMode::sustained
                           ? meter.sustained_series(*runner.gemm, settle_again, protocol.sustained_time)
                           : meter.flushed_series(*runner.gemm));
  }
  bool fine = false;
  for (std::size_t i = 0; i < runners.size(); ++i) {
    GemmResult result = result_of(bench, mode, *runners[i].gemm, series[i]);
    verify_result(bench, *runners[i].gemm, result);
    result.remark = i == 0 ? "measured again on fresh data" : "control: the library's first choice";
    if (i == 0) {
      best_in_mode(bench, mode).reset();
      offer_best(bench, result);
      fine = best_in_mode(bench, mode).has_value();
    }
    bench.report.results.push_back(result);
    bench.tools.on_change();
  }
  return fine;
}

}  // namespace shakedown
