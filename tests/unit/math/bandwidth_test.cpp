// SPDX-License-Identifier: Apache-2.0
#include "shakedown/math/bandwidth.h"

#include <gtest/gtest.h>

namespace shakedown {
namespace {

TEST(Bandwidth, AllReduceBusFactors) {
  EXPECT_DOUBLE_EQ(all_reduce_bus_factor(1), 0.0);
  EXPECT_DOUBLE_EQ(all_reduce_bus_factor(2), 1.0);
  EXPECT_DOUBLE_EQ(all_reduce_bus_factor(3), 4.0 / 3.0);
  EXPECT_DOUBLE_EQ(all_reduce_bus_factor(8), 1.75);
}

TEST(Bandwidth, IsDecimalAndUndefinedOnTheBusOfOneRank) {
  const BytesPerSecond algorithm = algorithm_bandwidth(Bytes{4'000'000'000}, Seconds{2.0});
  EXPECT_DOUBLE_EQ(algorithm.value, 2e9);
  EXPECT_EQ(all_reduce_bus_bandwidth(algorithm, 1), std::nullopt);
  EXPECT_DOUBLE_EQ(all_reduce_bus_bandwidth(algorithm, 4)->value, 3e9);
}

}  // namespace
}  // namespace shakedown
