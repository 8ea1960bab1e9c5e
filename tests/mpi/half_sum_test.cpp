// SPDX-License-Identifier: Apache-2.0
#include "backends/mpi/half_sum.h"

#include <gtest/gtest.h>

#include <cmath>

namespace shakedown {
namespace {

/// The number that a float16's bits mean, straight from the format's definition.
double by_definition(std::uint16_t bits) {
  const double sign = (bits & 0x8000) != 0 ? -1 : 1;
  const int exponent = (bits >> 10) & 31;
  const int fraction = bits & 1023;
  if (exponent == 31) return fraction != 0 ? NAN : sign * INFINITY;
  return exponent == 0 ? sign * std::ldexp(fraction, -24) : sign * std::ldexp(1024 + fraction, exponent - 25);
}

TEST(Half, EveryPatternMeansWhatTheFormatSaysAndComesBack) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const double expected = by_definition(half);
    const float value = half_to_float(half);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(value)) << bits;
      EXPECT_TRUE(std::isnan(half_to_float(float_to_half(value)))) << bits;
      continue;
    }
    EXPECT_EQ(static_cast<double>(value), expected) << bits;
    EXPECT_EQ(float_to_half(value), half) << bits;
  }
}

TEST(Half, HalfwayNumbersGoToTheEvenNeighbourAndOthersToTheNearest) {
  for (unsigned bits = 0; bits < 0x7BFF; ++bits) {
    const float low = half_to_float(static_cast<std::uint16_t>(bits));
    const float high = half_to_float(static_cast<std::uint16_t>(bits + 1));
    const float middle = (low + high) / 2;
    EXPECT_EQ(float_to_half(middle), bits + (bits & 1)) << bits;
    EXPECT_EQ(float_to_half(std::nextafterf(middle, low)), bits) << bits;
    EXPECT_EQ(float_to_half(std::nextafterf(middle, high)), bits + 1) << bits;
  }
}

TEST(Half, WhatIsTooLargeIsInfinite) {
  EXPECT_EQ(float_to_half(65519.0f), 0x7BFF);
  EXPECT_EQ(float_to_half(65520.0f), 0x7C00);
  EXPECT_EQ(float_to_half(-1e30f), 0xFC00);
}

}  // namespace
}  // namespace shakedown
