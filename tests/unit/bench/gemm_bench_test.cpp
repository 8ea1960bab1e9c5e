// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "shakedown/math/shape_grid.h"
#include "unit/bench/gemm_measurement.h"

namespace shakedown {
namespace {

using testing::Contains;
using testing::HasSubstr;

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

TEST(FindBest, a_chip_that_is_slow_in_this_type_has_figures_too) {
  ChipScript script = plain();
  script.cool_rate = [](const GemmShape& shape, std::size_t a) { return landscape(shape, a) / 2000; };  // 0.4 TFLOPS
  Measurement run(script);
  run.peak = {};
  run.find();
  ASSERT_TRUE(run.best().burst && run.best().sustained);
  EXPECT_TRUE(run.best().burst->verified.value_or(false));
  EXPECT_GT(run.report.screened.size(), 5u);
}

TEST(FindBest, a_clock_that_somebody_locked_is_waited_for_once) {
  ChipScript script = plain();
  script.highest_clock_mhz = 1700;
  Measurement run(script);
  run.find();
  EXPECT_LE(run.clock.now().count(), 45 * 1.15);
}

}  // namespace
}  // namespace shakedown
