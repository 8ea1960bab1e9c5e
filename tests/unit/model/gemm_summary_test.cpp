// SPDX-License-Identifier: Apache-2.0
#include "shakedown/model/gemm_summary.h"

#include <gtest/gtest.h>

#include <limits>

namespace shakedown {
namespace {

GemmResult result(std::uint64_t m, double mean, double median, double max) {
  GemmResult result;
  result.shape = {m, 1024, 1024};
  result.host = "node-a";
  result.rate = {mean, median, max, {}, {}};
  return result;
}

std::vector<GemmSummary> summaries_of(const std::vector<GemmResult>& results) {
  GemmReport report;
  report.results = results;
  return shakedown::summaries_of(report);
}

TEST(GemmSummary, OfNothingIsNothing) { EXPECT_TRUE(summaries_of({}).empty()); }

TEST(GemmSummary, EachStatisticHasItsOwnBestShape) {
  const auto summaries = summaries_of({result(1, 300, 310, 320), result(2, 200, 330, 340), result(3, 100, 110, 900)});
  ASSERT_EQ(summaries.size(), 1u);
  EXPECT_EQ(summaries[0].mean->shape.m, 1u);
  EXPECT_EQ(summaries[0].median->shape.m, 2u);
  EXPECT_EQ(summaries[0].max->shape.m, 3u);
  EXPECT_EQ(summaries[0].max->rate, 900);
}

TEST(GemmSummary, MeansAreOverTheShapesMeans) {
  const auto summaries = summaries_of({result(1, 100, 1, 1), result(2, 400, 1, 1)});
  EXPECT_DOUBLE_EQ(summaries.at(0).arithmetic_mean.value(), 250);
  EXPECT_NEAR(summaries.at(0).geometric_mean.value(), 200, 1e-9);
}

TEST(GemmSummary, TheFirstOfEqualsIsBest) {
  EXPECT_EQ(summaries_of({result(1, 5, 5, 5), result(2, 5, 5, 5)}).at(0).mean->shape.m, 1u);
}

TEST(GemmSummary, KindsModesHostsAndDevicesAreNeverMixed) {
  std::vector<GemmResult> results(6, result(1, 5, 5, 5));
  results[1].mode = GemmMode::sustained;
  results[2].kind.type = GemmType::int8;
  results[3].host = "node-b";
  results[4].device = DeviceInfo{0, "NVIDIA H200", "GPU-0", "0000:1b:00.0", {}};
  results[5].device = DeviceInfo{1, "NVIDIA H200", "GPU-1", "0000:1c:00.0", {}};
  EXPECT_EQ(summaries_of(results).size(), 6u);
}

TEST(GemmSummary, OnlyGoodRowsCount) {
  std::vector<GemmResult> results;
  for (std::uint64_t m = 1; m <= 5; ++m) results.push_back(result(m, m == 1 ? 100 : 900, 900, 900));
  results[1].status = RowStatus::skipped;
  results[2].status = RowStatus::failed;
  results[3].verified = false;
  results[4].rate.mean = std::numeric_limits<double>::infinity();
  const GemmSummary summary = summaries_of(results).at(0);
  EXPECT_EQ(summary.mean->shape.m, 1u);
  EXPECT_EQ(summary.arithmetic_mean, 100);
  EXPECT_EQ(summary.tried, 5u);
  EXPECT_EQ(summary.measured, 1u);
  EXPECT_EQ(summary.skipped, 1u);
  EXPECT_EQ(summary.failed, 3u);
}

TEST(GemmSummary, WithoutAGoodRowHasNoBest) {
  GemmResult skipped = result(7, 0, 0, 0);
  skipped.status = RowStatus::skipped;
  const GemmSummary summary = summaries_of({skipped}).at(0);
  EXPECT_EQ(summary.tried, 1u);
  EXPECT_FALSE(summary.mean || summary.arithmetic_mean || summary.geometric_mean);
}

TEST(GemmSummary, AShapeMeasuredAgainCountsOnceWithItsLastResult) {
  GemmResult failed = result(1, 0, 0, 0);
  failed.status = RowStatus::failed;
  const GemmSummary summary = summaries_of({result(1, 100, 1, 1), result(1, 300, 1, 1), failed}).at(0);
  EXPECT_EQ(summary.tried, 1u);
  EXPECT_EQ(summary.measured, 1u);
  EXPECT_EQ(summary.failed, 0u);
  EXPECT_EQ(summary.arithmetic_mean, 300);
}

TEST(GemmSummary, AFlatteredFirstMeasurementIsNotBestBesideSecondOnes) {
  const GemmSummary summary = summaries_of({result(1, 700, 700, 700), result(2, 760, 760, 760),
                                            result(3, 750, 750, 750), result(2, 720, 720, 720)})
                                  .at(0);
  EXPECT_EQ(summary.median->shape.m, 2u);
  EXPECT_EQ(summary.median->rate, 720);
  EXPECT_DOUBLE_EQ(summary.arithmetic_mean.value(), (700 + 720 + 750) / 3.0);
}

TEST(GemmSummary, AReadingAboveThePeakCountsOnlyWhereThePeakIsAnEstimate) {
  GemmReport report;
  report.results = {result(1, 100, 100, 100), result(2, 250, 250, 250)};
  BestGemm best;
  best.host = "node-a";
  best.peak.per_clock = 1000;
  best.peak.units = 100;
  best.peak.max_clock_mhz = 2000;
  report.best = {best};
  EXPECT_EQ(shakedown::summaries_of(report).at(0).median->rate, 100);
  EXPECT_EQ(shakedown::summaries_of(report).at(0).failed, 1u);
  report.best[0].peak.estimated = true;
  EXPECT_EQ(shakedown::summaries_of(report).at(0).median->rate, 250);
  report.best[0].peak.estimated = false;
  report.best[0].kind.type = GemmType::int8;
  EXPECT_EQ(shakedown::summaries_of(report).at(0).median->rate, 250) << "the peak of another kind";
}

TEST(ScreenedShapes, AreCountedOnce) {
  std::vector<ScreenedShape> screened(3);
  screened[0].shape = screened[2].shape = {1, 2, 3};
  screened[1].shape = {3, 2, 1};
  EXPECT_EQ(count_shapes(screened), 2u);
  EXPECT_EQ(count_shapes({}), 0u);
}

}  // namespace
}  // namespace shakedown
