// SPDX-License-Identifier: Apache-2.0
#include "shakedown/math/median_interval.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace shakedown {
namespace {

/// 1, 2 ... n in an order that is not rising, so that a bound of the interval is its rank.
std::vector<double> ranks(std::size_t n) {
  std::vector<double> values(n);
  std::iota(values.rbegin(), values.rend(), 1.0);
  return values;
}

/// With which probability the median lies between the ranks `low` and n + 1 - low: coins by Pascal's triangle.
double coverage(std::size_t n, std::size_t low) {
  double binomial = 1;
  double outside = 0;
  for (std::size_t heads = 0; heads < low; ++heads) {
    outside += binomial;
    binomial = binomial * static_cast<double>(n - heads) / static_cast<double>(heads + 1);
  }
  return 1 - 2 * std::ldexp(outside, -static_cast<int>(n));
}

TEST(MedianIntervals, HaveTheRanksOfTheBinomial) {
  const std::vector<std::pair<std::size_t, double>> table{{6, 1}, {8, 1}, {9, 2}, {10, 2}, {30, 10}, {100, 40}};
  for (const auto& [n, low] : table) {
    const auto interval = median_interval_95(ranks(n));
    ASSERT_TRUE(interval) << n;
    EXPECT_EQ(interval->low, low) << n;
    EXPECT_EQ(interval->high, static_cast<double>(n) + 1 - low) << n;
  }
}

TEST(MedianIntervals, AreTheNarrowestThatHold95Percent) {
  for (std::size_t n = 6; n <= 400; ++n) {
    const auto low = static_cast<std::size_t>(median_interval_95(ranks(n))->low);
    EXPECT_GE(coverage(n, low), 0.95) << n;
    EXPECT_LT(coverage(n, low + 1), 0.95) << n;
  }
}

TEST(MedianIntervals, OfThousandsDoNotUnderflow) {
  // 2500 - 1.96 / 2 x sqrt(5000) = 2430.7, and the normal distribution is within one rank here.
  EXPECT_NEAR(median_interval_95(ranks(5000))->low, 2430.7, 1.5);
}

TEST(MedianIntervals, NeedSixSamples) {
  EXPECT_FALSE(median_interval_95(ranks(5)));
  EXPECT_FALSE(median_interval_95({}));
}

TEST(TheilSen, IsTheMedianOfThePairsSlopes) {
  EXPECT_EQ(theil_sen_slope(std::vector<double>{0, 1, 3}, std::vector<double>{0, 2, 3}), 1.0) << "of 2, 1 and 0.5";
  EXPECT_EQ(theil_sen_slope(std::vector<double>{5, 1, 3}, std::vector<double>{10, 12, 11}), -0.5) << "in any order";
}

TEST(TheilSen, ForgetsAnOutlier) {
  EXPECT_EQ(theil_sen_slope(std::vector<double>{0, 1, 2, 3, 4}, std::vector<double>{1, 3, 5, 7, 100}), 2.0);
}

TEST(TheilSen, OfManySamplesIsStillTheirs) {
  std::vector<double> times(9001), values(9001);
  for (std::size_t i = 0; i < times.size(); ++i) {
    times[i] = static_cast<double>(i);
    values[i] = 7 - 0.25 * times[i];
  }
  EXPECT_EQ(theil_sen_slope(times, values), -0.25);
  EXPECT_TRUE(has_trend(values));
}

TEST(TheilSen, NeedsThreeSamplesAndTwoTimes) {
  EXPECT_EQ(theil_sen_slope(std::vector<double>{0, 1}, std::vector<double>{0, 1}), std::nullopt);
  EXPECT_EQ(theil_sen_slope(std::vector<double>{2, 2, 2}, std::vector<double>{0, 1, 2}), std::nullopt);
  EXPECT_THROW(theil_sen_slope(std::vector<double>{0, 1, 2}, std::vector<double>{0, 1}), std::invalid_argument);
}

TEST(Trends, AreFoundAtFivePercent) {
  // Of 28 pairs 23 rise and 5 fall: z = (18 - 1) / sqrt(8 x 7 x 21 / 18) = 2.10. With 22 and 6 it is 1.86.
  EXPECT_TRUE(has_trend(std::vector<double>{6, 1, 2, 3, 4, 5, 7, 8}));
  EXPECT_FALSE(has_trend(std::vector<double>{7, 1, 2, 3, 4, 5, 6, 8}));
  EXPECT_TRUE(has_trend(std::vector<double>{8, 7, 5, 4, 3, 2, 1, 6})) << "falling";
}

TEST(Trends, AreSeenThroughTies) {
  // z = (16 - 1) / sqrt((8 x 7 x 21 - 2 x 4 x 3 x 13) / 18) = 2.17; without the term of the ties it would be 1.86.
  EXPECT_TRUE(has_trend(std::vector<double>{1, 1, 1, 1, 2, 2, 2, 2}));
}

TEST(Trends, AreNotInNoiseNorInConstants) {
  EXPECT_FALSE(has_trend(std::vector<double>{1, 2, 1, 2, 1, 2, 1, 2, 1, 2}));
  EXPECT_FALSE(has_trend(std::vector<double>(20, 3.0)));
}

TEST(Trends, NeedEightSamples) { EXPECT_FALSE(has_trend(std::vector<double>{1, 2, 3, 4, 5, 6, 7})); }

}  // namespace
}  // namespace shakedown
