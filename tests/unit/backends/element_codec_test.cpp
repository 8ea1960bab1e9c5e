// SPDX-License-Identifier: Apache-2.0
#include "backends/element_codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace shakedown {
namespace {

/// A number and its bits, from the formats' definitions (IEEE 754, bfloat16, OCP FP8).
struct Known {
  DataType type;
  std::int64_t value;
  std::uint64_t bits;
};

constexpr Known known[] = {
    {DataType::float16, 0, 0x0000},
    {DataType::float16, 1, 0x3C00},
    {DataType::float16, -2, 0xC000},
    {DataType::float16, 3, 0x4200},
    {DataType::float16, 2047, 0x67FF},
    {DataType::float16, 2048, 0x6800},
    {DataType::bfloat16, 1, 0x3F80},
    {DataType::bfloat16, -3, 0xC040},
    {DataType::bfloat16, 255, 0x437F},
    {DataType::bfloat16, 256, 0x4380},
    {DataType::float8_e4m3fn, 1, 0x38},
    {DataType::float8_e4m3fn, -5, 0xCA},
    {DataType::float8_e4m3fn, 15, 0x57},
    {DataType::float8_e4m3fn, 16, 0x58},
    {DataType::float8_e5m2, 1, 0x3C},
    {DataType::float8_e5m2, 6, 0x46},
    {DataType::float8_e5m2, -8, 0xC8},
    {DataType::float32, 1, 0x3F800000},
    {DataType::float32, -16777216, 0xCB800000},
    {DataType::float64, 1, 0x3FF0000000000000},
    {DataType::int8, -1, 0xFF},
    {DataType::uint8, 255, 0xFF},
    {DataType::int64, -2, 0xFFFFFFFFFFFFFFFE},
};

std::uint64_t encoded(DataType type, std::int64_t value) {
  return with_element(type, [&](auto element) {
    const auto bits = decltype(element)::encode(value);
    std::uint64_t wide = 0;
    std::memcpy(&wide, &bits, sizeof bits);
    return wide;
  });
}

double decoded(DataType type, std::uint64_t bits) { return decode_element(type, &bits); }

TEST(ElementCodec, WritesTheBitsOfTheStandards) {
  for (const Known& k : known) EXPECT_EQ(encoded(k.type, k.value), k.bits) << name_of(k.type) << " " << k.value;
}

TEST(ElementCodec, EveryExactIntegerComesBack) {
  for (const DataType type : all_data_types()) {
    const bool has_sign = type != DataType::uint8 && type != DataType::uint32 && type != DataType::uint64;
    const auto last = static_cast<std::int64_t>(std::min<std::uint64_t>(exact_integer_limit(type), 5000));
    for (std::int64_t value = has_sign ? -last : 0; value <= last; ++value) {
      ASSERT_EQ(decoded(type, encoded(type, value)), static_cast<double>(value)) << name_of(type);
    }
  }
}

TEST(ElementCodec, ReadsWhatIsNoWholeNumber) {
  EXPECT_EQ(decoded(DataType::float16, 0x0001), std::ldexp(1.0, -24));
  EXPECT_EQ(decoded(DataType::float16, 0x7C00), INFINITY);
  EXPECT_EQ(decoded(DataType::float8_e4m3fn, 0x01), std::ldexp(1.0, -9));
  EXPECT_EQ(decoded(DataType::float8_e4m3fn, 0x7E), 448.0);
  EXPECT_EQ(decoded(DataType::float8_e5m2, 0xFC), -INFINITY);
  EXPECT_EQ(decoded(DataType::float8_e5m2, 0x7B), 57344.0);
  EXPECT_EQ(decoded(DataType::bfloat16, 0x3FC0), 1.5);
}

TEST(ElementCodec, PoisonIsNotANumberInEveryFloat) {
  for (const DataType type : {DataType::float16, DataType::bfloat16, DataType::float32, DataType::float64,
                              DataType::float8_e4m3fn, DataType::float8_e5m2}) {
    EXPECT_TRUE(std::isnan(decoded(type, ~std::uint64_t{0}))) << name_of(type);
  }
}

TEST(ElementCodec, TheCodecHasTheSizeOfTheType) {
  for (const DataType type : all_data_types()) {
    EXPECT_EQ(with_element(type, [](auto element) { return sizeof(typename decltype(element)::Bits); }), size_of(type));
  }
}

}  // namespace
}  // namespace shakedown
