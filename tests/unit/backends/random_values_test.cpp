// SPDX-License-Identifier: Apache-2.0
#include "backends/host_matrix/random_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "backends/element_codec.h"

namespace shakedown {
namespace {

std::vector<double> values(DataType type, GemmData data, std::uint64_t seed = 1) {
  const std::vector<std::byte> block = make_value_block(type, data, seed);
  std::vector<double> decoded;
  for (std::size_t at = 0; at < block.size(); at += size_of(type)) {
    decoded.push_back(decode_element(type, block.data() + at));
  }
  return decoded;
}

constexpr DataType floats[] = {DataType::float64, DataType::float32, DataType::bfloat16, DataType::float16};

TEST(RandomValues, AreNormalWithMean0AndDeviation1) {
  for (const DataType type : floats) {
    double sum = 0;
    double squares = 0;
    const auto drawn = values(type, GemmData::normal);
    for (const double value : drawn) {
      sum += value;
      squares += value * value;
    }
    const auto count = static_cast<double>(drawn.size());
    EXPECT_NEAR(sum / count, 0, 6 / std::sqrt(count)) << name_of(type);
    EXPECT_NEAR(squares / count, 1, 0.02) << name_of(type);
  }
}

TEST(RandomValues, OfANarrowTypeAreTheNearestOnes) {
  const auto exact = values(DataType::float64, GemmData::normal);
  const auto half = values(DataType::float16, GemmData::normal);
  const auto brain = values(DataType::bfloat16, GemmData::normal);
  for (std::size_t i = 0; i < exact.size(); ++i) {
    // Half a unit in the last place; float16 has 2^-24 at its subnormal end.
    ASSERT_LE(std::fabs(half[i] - exact[i]), std::max(std::fabs(exact[i]) * 0x1p-11, 0x1p-25) * 1.001) << exact[i];
    ASSERT_LE(std::fabs(brain[i] - exact[i]), std::fabs(exact[i]) * 0x1p-8) << exact[i];
  }
}

TEST(RandomValues, OfEachKindAreInItsRange) {
  for (const DataType type : floats) {
    for (const double value : values(type, GemmData::uniform)) ASSERT_LE(std::fabs(value), 1) << name_of(type);
    const auto integers = values(type, GemmData::integers);
    EXPECT_EQ(std::set<double>(integers.begin(), integers.end()).size(), 9u);
    for (const double value : values(type, GemmData::zeros)) ASSERT_EQ(value, 0);
    for (const double value : values(type, GemmData::ones)) ASSERT_EQ(value, 1);
  }
}

TEST(RandomValues, OfBytesNeverSaturateASumOfTwoProducts) {
  for (const GemmData data : {GemmData::normal, GemmData::uniform, GemmData::integers}) {
    double lowest = 0;
    double highest = 0;
    for (const double value : values(DataType::int8, data)) {
      lowest = std::min(lowest, value);
      highest = std::max(highest, value);
    }
    EXPECT_LT(lowest, 0);
    EXPECT_GE(lowest, -127);
    EXPECT_LE(highest, 127);
    for (const double value : values(DataType::uint8, data)) ASSERT_LE(value, 127);
  }
}

TEST(RandomValues, AreTheSameForTheSameSeedAlone) {
  EXPECT_EQ(make_value_block(DataType::float32, GemmData::normal, 5),
            make_value_block(DataType::float32, GemmData::normal, 5));
  EXPECT_NE(make_value_block(DataType::float32, GemmData::normal, 5),
            make_value_block(DataType::float32, GemmData::normal, 6));
}

}  // namespace
}  // namespace shakedown
