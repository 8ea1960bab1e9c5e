// SPDX-License-Identifier: Apache-2.0
#include "report/words.h"

#include <gtest/gtest.h>

#include <limits>

namespace shakedown {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(Words, TimesTakeTheUnitThatSuits) {
  EXPECT_EQ(format_time(0.5e-9), "0.50 ns");
  EXPECT_EQ(format_time(7.2e-6), "7.20 us");
  EXPECT_EQ(format_time(999.99e-6), "999.99 us");
  EXPECT_EQ(format_time(999.996e-6), "1.00 ms");
  EXPECT_EQ(format_time(18.157e-3), "18.16 ms");
  EXPECT_EQ(format_time(1), "1.00 s");
  EXPECT_EQ(format_time(infinity), "n/a");
}

TEST(Words, SmallBandwidthsAreNotZero) {
  EXPECT_EQ(format_bandwidth({391.254e9}, 2), "391.25");
  EXPECT_EQ(format_bandwidth({0.0073e9}, 3), "0.007");
  EXPECT_EQ(format_bandwidth({1e5}, 3), "<0.001");
  EXPECT_EQ(format_bandwidth({0}, 3), "0.000");
  EXPECT_EQ(format_bandwidth({infinity}, 2), "n/a");
  EXPECT_EQ(format_bandwidth({std::numeric_limits<double>::quiet_NaN()}, 2), "n/a");
}

TEST(Words, WrapBetweenWordsOnly) {
  EXPECT_EQ(wrapped("", 40), "\n");
  EXPECT_EQ(wrapped("one two", 40), "one two\n");
  const std::string forty(40, 'x');
  EXPECT_EQ(wrapped(forty + " y " + forty + "z", 40, "  "), forty + "\n  y\n  " + forty + "z\n");
  EXPECT_EQ(wrapped("- a" + std::string(36, 'b') + " c", 1, "  "), "- a" + std::string(36, 'b') + "\n  c\n")
      << "at least 40 columns";
}

TEST(Words, Counts) {
  EXPECT_EQ(counted(0, "rank"), "0 ranks");
  EXPECT_EQ(counted(1, "rank"), "1 rank");
  EXPECT_EQ(counted(2, "rank"), "2 ranks");
}

TEST(Words, WidthCountsCharactersNotBytes) { EXPECT_EQ(width_of("größe"), 5u); }

}  // namespace
}  // namespace shakedown
