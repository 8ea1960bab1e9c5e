// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "unit/bench/gemm_measurement.h"

namespace shakedown {
namespace {

using testing::HasSubstr;

TEST(MeasureShapes, as_many_warm_ups_as_anybody_asks_for) {
  GemmProtocol protocol = quick_protocol();
  protocol.burst_warmups = 50;
  Measurement run(plain(), protocol);
  measure_shapes(run.bench(), {{4096, 4096, 4096}}, {});
  EXPECT_EQ(run.report.results.at(0).status, RowStatus::ok);
}

TEST(MeasureShapes, a_slow_product_is_no_silence) {
  ChipScript script = plain();
  script.cool_rate = [](const GemmShape&, std::size_t) { return 1e-3; };  // 4096^3 takes 137 s
  Measurement run(script);
  run.report.protocol.modes = {GemmMode::burst};
  measure_shapes(run.bench(), {{4096, 4096, 4096}}, {});
  EXPECT_GT(run.board.view().limit.count(), 2000);
  EXPECT_EQ(run.report.protocol.timeout, run.board.view().limit) << "what was allowed stands in the protocol";
}

TEST(MeasureShapes, a_chip_that_goes_on_slowing_down_has_a_drift) {
  ChipScript script = plain();
  script.heats_in = Seconds{60};  // far from settled in any soak
  script.soaked_share = [](const auto&, auto) { return 0.3; };
  Measurement run(script);
  run.report.protocol.modes = {GemmMode::sustained};
  run.report.protocol.soak = Seconds{0};
  measure_shapes(run.bench(), {{4096, 4096, 4096}}, {});
  ASSERT_TRUE(run.best().sustained && run.best().sustained->drift_per_s);
  EXPECT_LT(*run.best().sustained->drift_per_s, -0.005);
}

TEST(MeasureShapes, memory_of_an_earlier_sweep_is_not_taken) {
  ChipScript script = plain();
  script.most_bytes = 300ull << 20;
  Measurement run(script);
  measure_shapes(run.bench(), {{4096, 4096, 4096}}, {});
  measure_shapes(run.bench(), {{4096, 4096, 4096}}, {});
  for (const GemmResult& row : run.report.results) EXPECT_EQ(row.status, RowStatus::ok) << row.reason;
}

TEST(MeasureShapes, a_single_look_of_an_earlier_sweep_is_no_whole_row) {
  Measurement first(plain());
  measure_shapes(first.bench(), {{4096, 4096, 4096}}, {});
  std::vector<GemmResult> earlier = first.report.results;
  earlier.front().time_s.samples = 1;
  Measurement second(plain());
  measure_shapes(second.bench(), {{4096, 4096, 4096}}, earlier);
  EXPECT_EQ(second.report.results.at(0).remark, "");
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
