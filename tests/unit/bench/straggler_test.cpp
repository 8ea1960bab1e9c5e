// SPDX-License-Identifier: Apache-2.0
#include "bench/straggler.h"

#include <gtest/gtest.h>

#include <vector>

namespace shakedown {
namespace {

std::vector<RankSamples> ranks(const std::vector<double>& medians, double spread) {
  std::vector<RankSamples> result;
  for (const double median : medians) result.push_back({.mean = median, .median = median, .spread = spread});
  return result;
}

TEST(Straggler, IsTheRankThatSpentTheLeastTime) {
  const auto lead = find_straggler(ranks({2.1e-3, 2.1e-3, 0.1e-3, 2.1e-3}, 10e-6));
  ASSERT_TRUE(lead);
  EXPECT_EQ(lead->rank, 2);
  EXPECT_NEAR(lead->seconds, 2.0e-3, 1e-9);
}

TEST(Straggler, ALongerTimeNamesNobody) { EXPECT_FALSE(find_straggler(ranks({1e-3, 1e-3, 9e-3, 1e-3}, 1e-6))); }

TEST(Straggler, WithinTheSpreadThereIsNone) { EXPECT_FALSE(find_straggler(ranks({1.0e-3, 1.0e-3, 0.8e-3}, 0.1e-3))); }

TEST(Straggler, ALeadBelowATenthOrAMicrosecondIsNone) {
  EXPECT_FALSE(find_straggler(ranks({1.0e-3, 1.0e-3, 0.95e-3}, 0)));
  EXPECT_FALSE(find_straggler(ranks({2.0e-6, 2.0e-6, 1.2e-6}, 0)));
}

TEST(Straggler, NeedsTwoRanks) {
  EXPECT_FALSE(find_straggler(ranks({1e-3}, 0)));
  EXPECT_FALSE(find_straggler({}));
  EXPECT_NEAR(find_straggler(ranks({2.1e-3, 0.1e-3}, 1e-6)).value().seconds, 2.0e-3, 1e-9);
}

}  // namespace
}  // namespace shakedown
