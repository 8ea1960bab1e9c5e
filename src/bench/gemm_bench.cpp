// SPDX-License-Identifier: Apache-2.0
#include "shakedown/bench/gemm_bench.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/gemm_results.h"
#include "bench/shape_search.h"

namespace shakedown {
namespace {

/// How the budget of a search is divided where both headline figures are wanted: burst needs more looks, sustained
/// longer ones.
constexpr double burst_share = 0.42;
/// Of a mode's share, before its confirmation.
constexpr double search_share = 0.82;
constexpr std::size_t burst_finalists = 6;
constexpr std::size_t burst_second_algorithms = 2;
constexpr std::size_t sustained_faces = 6;
constexpr std::size_t sustained_second_algorithms = 3;

bool wants(const GemmBench& bench, GemmMode mode) {
  const auto& modes = bench.report.protocol.modes;
  return std::find(modes.begin(), modes.end(), mode) != modes.end();
}

/// "screening shapes 57 of 212, best so far 851.2 TFLOPS at 2048x4096x15360, 38 s left"
class ProgressLine {
 public:
  ProgressLine(const GemmBench& bench, Seconds end) : bench_(bench), end_(end) {}
  void operator()(const std::string& phase, std::size_t done, std::size_t all) const {
    std::string line = phase;
    if (all > 0) line += fmt::format(" {} of {}", done, all);
    const auto& entries = bench_.report.best;
    for (const BestGemm& entry : entries) {
      if (!(entry.kind == bench_.kind)) continue;
      const auto& best = entry.sustained ? entry.sustained : entry.burst ? entry.burst : entry.mamf_v2;
      if (best)
        line += fmt::format(", best so far {:.1f} {} in {} at {}", best->rate.median, rate_unit_of(bench_.kind.type),
                            name_of(best->mode), format_shape(best->shape));
    }
    const double left = (end_ - bench_.tools.clock.now()).count();
    line += fmt::format(", {:.0f} s left", std::max(0.0, left));
    bench_.tools.progress.update(fmt::format("{}: {}", describe(bench_.kind), line));
  }

 private:
  const GemmBench& bench_;
  Seconds end_;
};

/// Confirms the first of the order that holds.
void confirm_first(const GemmBench& bench, GemmMeter& meter, ShapePool& pool, GemmMode mode,
                   const std::vector<Candidate>& order) {
  for (const Candidate& candidate : order)
    if (confirm(bench, meter, pool, mode, candidate)) return;
}

}  // namespace

void find_best(const GemmBench& bench, const std::vector<GemmShape>& known_good) {
  const GemmProtocol& protocol = bench.report.protocol;
  const Seconds began = bench.tools.clock.now();
  const Seconds end = began + protocol.budget;
  const SearchProgress progress = ProgressLine(bench, end);
  GemmMeter meter(bench);
  ShapePool pool(bench, meter);
  const bool sustained = wants(bench, GemmMode::sustained);
  const TimeBox burst_box{began, (sustained ? burst_share : 1.0) * search_share * protocol.budget};
  search_in_burst(bench, pool, known_good, {began, 0.8 * burst_box.length}, progress);
  std::vector<Candidate> order = race_in_burst(
      bench, meter, pool, finalists_of(pool, burst_finalists, burst_second_algorithms), burst_box.at(1), progress);
  if (order.empty()) return;
  const Bytes room = pool.room();
  if (wants(bench, GemmMode::burst)) {
    progress("measuring the burst winner again", 0, 0);
    pool.load(room, protocol.seed + 1);
    confirm_first(bench, meter, pool, GemmMode::burst, order);
  }
  if (wants(bench, GemmMode::mamf_v2)) {
    pool.load(room, protocol.seed + 1);
    confirm_first(bench, meter, pool, GemmMode::mamf_v2, order);
  }
  if (sustained) {
    const auto sustained_finalists = sustained_candidates_of(pool, sustained_faces, sustained_second_algorithms);
    const Seconds now = bench.tools.clock.now();
    const Seconds confirmation = protocol.soak + protocol.sustained_time;
    const Seconds length = std::max(Seconds{1}, end - now - confirmation);
    order = race_sustained(bench, meter, pool, sustained_finalists, {now, length}, progress);
    progress("measuring the sustained winner again", 0, 0);
    pool.load(room, protocol.seed + 2);
    confirm_first(bench, meter, pool, GemmMode::sustained, order);
  }
}

}  // namespace shakedown
