// SPDX-License-Identifier: Apache-2.0
#include "shakedown/model/gemm_report.h"

#include <gtest/gtest.h>

#include <limits>

namespace shakedown {
namespace {

GemmPeak h200() {
  GemmPeak peak;
  peak.datasheet = 989.4;
  peak.per_clock = 4096;
  peak.units = 132;
  peak.max_clock_mhz = 1980;
  return peak;
}

GemmResult result(double median, std::optional<double> clock_mhz) {
  GemmResult result;
  result.rate = {median, median, median, {}, {}};
  result.clock_mhz = clock_mhz;
  return result;
}

TEST(GemmPeak, IsUnitsTimesOperationsTimesClock) {
  EXPECT_DOUBLE_EQ(h200().at(1000.0).value(), 132 * 4096 * 1e9 / 1e12);
  EXPECT_NEAR(h200().at(1830.0).value(), 989.4, 0.05);
}

TEST(GemmPeak, OfAnUnknownPartIsUnknown) {
  EXPECT_EQ(h200().at({}), std::nullopt);
  GemmPeak peak = h200();
  peak.per_clock.reset();
  EXPECT_EQ(peak.at(1000.0), std::nullopt);
  peak = h200();
  peak.units = 0;
  EXPECT_EQ(peak.at(1000.0), std::nullopt);
}

TEST(GemmPeak, IsExceededBeyondWhatClocksAreToldWrong) {
  const double most = h200().at(1980.0).value();
  EXPECT_FALSE(h200().is_exceeded_by(most * 1.001, 1500.0));
  EXPECT_TRUE(h200().is_exceeded_by(most * 1.02, 1500.0));
  EXPECT_FALSE(GemmPeak{}.is_exceeded_by(1e9, 1500.0)) << "unknown";
  GemmPeak untold = h200();
  untold.max_clock_mhz.reset();
  EXPECT_TRUE(untold.is_exceeded_by(most, 990.0));
  EXPECT_FALSE(untold.is_exceeded_by(most, {}));
}

TEST(GemmEfficiency, IsTheMedianOverEachPeak) {
  GemmResult half = result(494.7, 990);
  half.rate.mean = 1;
  half.rate.max = 2000;
  const Efficiency efficiency = efficiency_of(half, h200());
  EXPECT_DOUBLE_EQ(efficiency.of_datasheet.value(), 0.5);
  EXPECT_DOUBLE_EQ(efficiency.of_measured_clock.value(), 2 * efficiency.of_max_clock.value());
  EXPECT_DOUBLE_EQ(efficiency.of_max_clock.value(), 494.7 / (132 * 4096 * 1980 / 1e6));
}

TEST(GemmEfficiency, IsEmptyWhereAPeakIsNotKnown) {
  const Efficiency without_clock = efficiency_of(result(500, {}), h200());
  EXPECT_TRUE(without_clock.of_datasheet && without_clock.of_max_clock);
  EXPECT_EQ(without_clock.of_measured_clock, std::nullopt);
  const Efficiency of_nothing = efficiency_of(result(500, 1500), GemmPeak{});
  EXPECT_FALSE(of_nothing.of_datasheet || of_nothing.of_max_clock || of_nothing.of_measured_clock);
  GemmPeak none = h200();
  none.datasheet = 0;
  EXPECT_EQ(efficiency_of(result(500, 1500), none).of_datasheet, std::nullopt) << "no division by zero";
}

TEST(GemmEfficiency, OfARowWithoutANumberIsEmpty) {
  GemmResult skipped = result(0, 1500);
  skipped.status = RowStatus::skipped;
  EXPECT_EQ(efficiency_of(skipped, h200()).of_datasheet, std::nullopt);
  const double infinite = std::numeric_limits<double>::infinity();
  EXPECT_EQ(efficiency_of(result(infinite, 1500), h200()).of_datasheet, std::nullopt);
}

TEST(GemmReport, Names) {
  EXPECT_EQ(name_of(GemmMode::burst), "burst");
  EXPECT_EQ(name_of(GemmMode::sustained), "sustained");
  EXPECT_EQ(name_of(GemmMode::mamf_v2), "mamf-v2");
}

}  // namespace
}  // namespace shakedown
