// SPDX-License-Identifier: Apache-2.0
#include "shakedown/math/statistics.h"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>
#include <vector>

namespace shakedown {
namespace {

TEST(Statistics, OfOddAndEvenNumbers) {
  const Summary odd = summarize(std::vector<double>{3, 1, 2});
  EXPECT_EQ(odd.min, 1);
  EXPECT_EQ(odd.median, 2);
  EXPECT_EQ(odd.mean, 2);
  EXPECT_EQ(odd.max, 3);
  EXPECT_EQ(odd.samples, 3u);
  EXPECT_EQ(median_of(std::vector<double>{4, 1, 3, 2}), 2.5);
}

TEST(Statistics, OneOutlierMovesTheMeanAndNotTheMedian) {
  const Summary summary = summarize(std::vector<double>{10, 10, 10, 10, 510});
  EXPECT_EQ(summary.median, 10);
  EXPECT_EQ(summary.mean, 110);
  EXPECT_EQ(summary.max, 510);
}

TEST(Statistics, OneSampleIsAllThatThereIs) {
  const Summary one = summarize(std::vector<double>{7});
  EXPECT_EQ(one.min, 7);
  EXPECT_EQ(one.median, 7);
  EXPECT_EQ(one.max, 7);
  EXPECT_EQ(one.p99, std::nullopt);
  EXPECT_EQ(scaled_mad(std::vector<double>{7}), 0);
}

TEST(Statistics, NoSamplesIsAnError) {
  EXPECT_THROW(summarize({}), std::invalid_argument);
  EXPECT_THROW(median_of({}), std::invalid_argument);
  EXPECT_THROW(scaled_mad({}), std::invalid_argument);
}

TEST(Statistics, P99IsASampleAndNeverInvented) {
  std::vector<double> values(99);
  std::iota(values.begin(), values.end(), 1.0);
  EXPECT_EQ(summarize(values).p99, std::nullopt);
  values.push_back(100);
  EXPECT_EQ(summarize(values).p99, 99);  // ceil(0.99 * 100)
  values.push_back(101);
  EXPECT_EQ(summarize(values).p99, 100);  // ceil(99.99)
  while (values.size() < 250) values.push_back(static_cast<double>(values.size() + 1));
  EXPECT_EQ(summarize(values).p99, 248);  // ceil(247.5)
}

TEST(Statistics, MeanStaysBetweenMinAndMax) {
  const Summary summary = summarize(std::vector<double>(3, 0.1));  // 0.1 + 0.1 + 0.1 is more than 0.3
  EXPECT_EQ(summary.mean, 0.1);
}

TEST(Statistics, ScaledMadEstimatesSigmaAndForgetsOutliers) {
  // The quartiles of a normal distribution of sigma 2 around 5.
  EXPECT_NEAR(scaled_mad(std::vector<double>{5 - 1.34898, 5, 5 + 1.34898}), 2.0, 1e-3);
  EXPECT_NEAR(scaled_mad(std::vector<double>{4, 5, 6, 4, 6, 5, 1000}), 1.4826, 1e-9);
}

}  // namespace
}  // namespace shakedown
