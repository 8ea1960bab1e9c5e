// SPDX-License-Identifier: Apache-2.0
#include "shakedown/bench/gemm_bench.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "shakedown/math/shape_grid.h"
#include "support/scripted_chip.h"

namespace shakedown {
namespace {

using testing::Contains;
using testing::HasSubstr;

/// Waves of 128 x 256 tiles on 132 units, and a main loop that pays off with k.
double landscape(const GemmShape& shape, std::size_t algorithm) {
  const double k = static_cast<double>(shape.k);
  const double base = 900 * wave_efficiency(shape, Tile{128, 256}, 132) * k / (k + 700) * (1 - k / 400000);
  return base * (1 - 0.03 * static_cast<double>(algorithm));
}

GemmProtocol quick_protocol() {
  GemmProtocol protocol;
  protocol.budget = Seconds{45};
  protocol.rest = Seconds{0.1};
  protocol.screen_rest = Seconds{0.02};
  protocol.burst_warmups = 1;
  protocol.burst_calls = 5;
  protocol.least_samples = 6;
  protocol.soak = Seconds{3};
  protocol.sustained_time = Seconds{4};
  protocol.flushed_warmups = 5;
  protocol.flushed_calls = 20;
  protocol.algorithms = 8;
  protocol.seed = 42;
  return protocol;
}

struct Measurement {
  explicit Measurement(ChipScript script, GemmProtocol protocol = quick_protocol()) : chip(std::move(script), clock) {
    report.protocol = std::move(protocol);
    peak.per_clock = 4096;
    peak.units = 132;
    peak.max_clock_mhz = 1980;  // 1070.5 TFLOPS
  }
  [[nodiscard]] GemmBench bench() { return {chip, kind, peak, report, tools}; }
  void find() { find_best(bench(), {}); }
  [[nodiscard]] const BestGemm& best() const { return report.best.at(0); }

  TurnedClock clock;
  ScriptedChip chip;
  GemmKind kind;
  GemmPeak peak;
  GemmReport report;
  StageBoard board{Seconds{60}};
  SilentProgress progress;
  int changes{0};
  GemmTools tools{clock, [this](Seconds time) { clock.pass(time); }, board, progress, [this] { ++changes; }};
};

ChipScript plain() {
  ChipScript script;
  script.cool_rate = landscape;
  return script;
}

double best_of_grid(const ChipScript& script) {
  const auto axis = expand({0, 16384, 1024}, "--m-range");
  double best = 0;
  for (const GemmShape& shape : shape_grid(axis, axis, axis))
    for (std::size_t a = 0; a < script.algorithms; ++a) best = std::max(best, script.cool_rate(shape, a));
  return best;
}

TEST(FindBest, reaches_the_best_of_the_whole_grid_within_the_budget) {
  Measurement run(plain());
  run.find();
  ASSERT_TRUE(run.best().burst);
  EXPECT_GE(run.best().burst->rate.median, 0.995 * best_of_grid(plain()));
  EXPECT_LE(run.clock.now().count(), 45 * 1.15);
  EXPECT_GT(run.report.screened.size(), 100u);
}

TEST(FindBest, sustained_is_less_than_burst_and_has_its_surroundings) {
  Measurement run(plain());
  run.find();
  ASSERT_TRUE(run.best().sustained);
  const GemmResult& sustained = *run.best().sustained;
  EXPECT_NEAR(sustained.rate.median / run.best().burst->rate.median, 0.82, 0.02);
  EXPECT_NEAR(*sustained.power_w, 700, 10);
  EXPECT_FALSE(run.best().burst->power_w);
  EXPECT_THAT(sustained.throttle, Contains("sw_power_cap"));
  EXPECT_NEAR(*sustained.clock_mhz, 1380, 20);
  EXPECT_EQ(sustained.stopped_by, "time");
}

TEST(FindBest, the_chip_never_idles_in_sustained_work) {
  Measurement run(plain());
  run.find();
  EXPECT_GE(run.chip.most_in_flight, 3u);
  EXPECT_LE(run.chip.most_in_flight, static_cast<std::size_t>(MatrixEngine::batches_in_flight));
}

TEST(FindBest, headlines_are_measured_again_on_other_data) {
  Measurement run(plain());
  run.find();
  EXPECT_EQ(run.best().burst->remark, "measured again on fresh data");
  EXPECT_EQ(run.best().sustained->remark, "measured again on fresh data");
  EXPECT_GE(std::set<std::uint64_t>(run.chip.seeds.begin(), run.chip.seeds.end()).size(), 3u);
  EXPECT_TRUE(run.best().burst->verified.value_or(false));
  EXPECT_GE(run.best().burst->time_s.samples, 6u);
  ASSERT_TRUE(run.best().burst->rate.ci95_low);
  EXPECT_LE(*run.best().burst->rate.ci95_low, run.best().burst->rate.median);
}

TEST(FindBest, takes_an_algorithm_that_the_library_did_not_rank_first) {
  ChipScript script = plain();
  script.cool_rate = [](const GemmShape& shape, std::size_t a) { return landscape(shape, 0) * (a == 2 ? 1.05 : 1); };
  Measurement run(script);
  run.find();
  EXPECT_EQ(run.best().burst->algorithm, "algorithm 2");
}

TEST(FindBest, burst_and_sustained_may_have_different_winners) {
  ChipScript script = plain();
  // The second algorithm draws less power: slower when cool, faster when soaked.
  script.soaked_share = [](const GemmShape&, std::size_t a) { return a == 1 ? 0.90 : 0.80; };
  script.algorithms = 2;
  Measurement run(script);
  run.find();
  EXPECT_EQ(run.best().burst->algorithm, "algorithm 0");
  EXPECT_EQ(run.best().sustained->algorithm, "algorithm 1");
}

TEST(FindBest, a_wrong_product_is_a_failed_row_and_never_the_best) {
  ChipScript script = plain();
  script.cool_rate = [](const GemmShape& shape, std::size_t a) { return landscape(shape, 0) * (a == 1 ? 1.1 : 1); };
  script.is_wrong = [](const GemmShape&, std::size_t a) { return a == 1; };
  Measurement run(script);
  run.find();
  ASSERT_TRUE(run.best().burst);
  EXPECT_NE(run.best().burst->algorithm, "algorithm 1");
  const auto failed = std::find_if(run.report.results.begin(), run.report.results.end(),
                                   [](const GemmResult& r) { return r.status == RowStatus::failed; });
  ASSERT_NE(failed, run.report.results.end());
  EXPECT_THAT(failed->reason, HasSubstr("got 0, expected 5"));
}

TEST(FindBest, what_no_chip_can_do_never_leads) {
  ChipScript script = plain();
  script.cool_rate = [](const GemmShape& shape, std::size_t a) {
    return shape.m == 2048 ? 3000 : landscape(shape, a);  // the clock was stopped before the work was done
  };
  Measurement run(script);
  run.find();
  EXPECT_NE(run.best().burst->shape.m, 2048u);
  EXPECT_LT(run.best().burst->rate.median, 1071);
}

TEST(FindBest, controls_are_measured_beside_the_winner_with_the_first_algorithm) {
  GemmProtocol protocol = quick_protocol();
  protocol.controls = {{8192, 8192, 8192}};
  Measurement run(plain(), protocol);
  run.find();
  int burst = 0;
  int sustained = 0;
  for (const GemmResult& result : run.report.results) {
    if (result.remark.find("control") == std::string::npos) continue;
    EXPECT_EQ(result.shape, (GemmShape{8192, 8192, 8192}));
    EXPECT_EQ(result.algorithm, "algorithm 0");
    (result.mode == GemmMode::burst ? burst : sustained)++;
  }
  EXPECT_EQ(burst, 1);
  EXPECT_EQ(sustained, 1);
}

TEST(FindBest, only_modes_that_were_asked_for_have_a_best) {
  GemmProtocol protocol = quick_protocol();
  protocol.modes = {GemmMode::sustained};
  Measurement run(plain(), protocol);
  run.find();
  EXPECT_FALSE(run.best().burst);
  EXPECT_TRUE(run.best().sustained);
}

TEST(MeasureShapes, a_bad_shape_is_a_skipped_row_and_the_sweep_goes_on) {
  Measurement run(plain());
  measure_shapes(run.bench(), {{7, 7, 7}, {1ull << 20, 1ull << 20, 1ull << 20}, {4096, 4096, 4096}}, {});
  ASSERT_GE(run.report.results.size(), 3u);
  EXPECT_EQ(run.report.results[0].status, RowStatus::skipped);
  EXPECT_EQ(run.report.results[0].reason, "m must be a multiple of 8");
  EXPECT_EQ(run.report.results[1].status, RowStatus::skipped);
  EXPECT_THAT(run.report.results[1].reason, HasSubstr("does not fit: it needs"));
  EXPECT_EQ(run.report.results[2].status, RowStatus::ok);
  EXPECT_TRUE(run.report.results[2].verified.value_or(false));
  ASSERT_TRUE(run.best().sustained);
  EXPECT_EQ(run.best().sustained->shape, (GemmShape{4096, 4096, 4096}));
}

TEST(MeasureShapes, of_many_shapes_the_best_are_measured_again) {
  Measurement run(plain());
  std::vector<GemmShape> shapes;
  for (std::uint64_t m = 1; m <= 100; ++m) shapes.push_back({128 * m, 4096, 4096});
  measure_shapes(run.bench(), shapes, {});
  EXPECT_EQ(run.best().burst->remark, "one of the best, measured again");
  EXPECT_GE(run.best().burst->time_s.samples, 6u);
  const auto true_best = *std::max_element(shapes.begin(), shapes.end(), [](const GemmShape& a, const GemmShape& b) {
    return landscape(a, 0) < landscape(b, 0);
  });
  EXPECT_NEAR(run.best().burst->rate.median, landscape(true_best, 0), 0.01 * landscape(true_best, 0));
}

TEST(MeasureShapes, results_of_an_earlier_run_are_taken_over) {
  Measurement first(plain());
  const std::vector<GemmShape> shapes{{4096, 4096, 4096}, {2048, 2048, 2048}};
  measure_shapes(first.bench(), {shapes[0]}, {});
  Measurement second(plain());
  measure_shapes(second.bench(), shapes, first.report.results);
  EXPECT_EQ(second.report.results[0].remark, "from the resumed file");
  EXPECT_EQ(second.report.results[0].rate.median, first.report.results[0].rate.median);
  EXPECT_EQ(second.report.results[1].remark, "");
}

TEST(MeasureSuite, the_mean_is_harmonic_and_weighted_by_operations) {
  ChipScript script = plain();
  script.noise = 0;
  script.cool_rate = [](const GemmShape& shape, std::size_t) { return shape.m == 1024 ? 100.0 : 400.0; };
  script.soaked_share = [](const auto&, auto) { return 1.0; };
  Measurement run(script);
  // 3 x 2 x 1024^3 at 100 and 1 x 2 x 2048^3 at 400: as much time as 3 + 2 of the small ones, 11 times their work.
  measure_suite(run.bench(), {{"small", {1024, 1024, 1024}, 3}, {"large", {2048, 2048, 2048}, 1}});
  ASSERT_TRUE(run.report.suite && run.report.suite->harmonic_mean);
  EXPECT_NEAR(*run.report.suite->harmonic_mean, 220, 0.5);
  EXPECT_EQ(run.report.suite->entries.size(), 2u);
}

TEST(MeasureSuite, without_one_of_its_products_there_is_no_mean) {
  Measurement run(plain());
  measure_suite(run.bench(), {{"fine", {1024, 1024, 1024}, 1}, {"bad", {7, 1024, 1024}, 1}});
  EXPECT_FALSE(run.report.suite->harmonic_mean);
}

TEST(MeasureOne, the_named_algorithm_is_used) {
  Measurement run(plain());
  EXPECT_EQ(measure_one(run.bench(), GemmMode::burst, {4096, 4096, 4096}, "algorithm 1").algorithm, "algorithm 1");
  EXPECT_EQ(measure_one(run.bench(), GemmMode::burst, {4096, 4096, 4096}, "gone").algorithm, "algorithm 0");
  EXPECT_TRUE(run.report.results.empty());
}

}  // namespace
}  // namespace shakedown
