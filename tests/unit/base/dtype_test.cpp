// SPDX-License-Identifier: Apache-2.0
#include "shakedown/base/dtype.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace shakedown {
namespace {

TEST(DataTypes, CanonicalNamesReadBack) {
  EXPECT_EQ(all_data_types().size(), 12u);
  for (const DataType type : all_data_types()) EXPECT_EQ(parse_data_type(name_of(type)), type) << name_of(type);
}

TEST(DataTypes, ReadNamesOfPyTorchNumPyAndNcclTests) {
  const std::pair<const char*, DataType> table[] = {
      {"torch.bfloat16", DataType::bfloat16},
      {"torch.float8_e4m3fn", DataType::float8_e4m3fn},
      {"torch.float8_e5m2", DataType::float8_e5m2},
      {"torch.long", DataType::int64},
      {"np.float16", DataType::float16},
      {"numpy.uint8", DataType::uint8},
      {"bf16", DataType::bfloat16},
      {"BF16", DataType::bfloat16},
      {"BFloat16", DataType::bfloat16},
      {"fp16", DataType::float16},
      {"half", DataType::float16},
      {"fp32", DataType::float32},
      {"f32", DataType::float32},
      {"float", DataType::float32},
      {"double", DataType::float64},
      {"fp64", DataType::float64},
      {"int", DataType::int32},
      {"long", DataType::int64},
      {"char", DataType::int8},
      {"f8e4m3", DataType::float8_e4m3fn},
      {"f8e5m2", DataType::float8_e5m2},
      {"fp8_e4m3", DataType::float8_e4m3fn},
      {"fp8", DataType::float8_e4m3fn},
  };
  for (const auto& [name, type] : table) EXPECT_EQ(parse_data_type(name), type) << name;
}

TEST(DataTypes, DoNotGuess) {
  for (const char* name :
       {"", "nn", "save", "8", "f8", "byte", "tf32", "float8_e4m3fnuz", "torch.", "torch", "float32 ", "complex64"}) {
    EXPECT_EQ(parse_data_type(name), std::nullopt) << name;
  }
}

TEST(DataTypes, SizesAreInTheNames) {
  for (const DataType type : all_data_types()) {
    std::string name{name_of(type)};
    name = name.substr(0, name.find('_'));
    const auto bits = std::stoul(name.substr(name.find_first_of("0123456789")));
    EXPECT_EQ(size_of(type) * 8, bits) << name;
  }
}

/// The limit that a significand of so many bits (the hidden one too) has: the next odd number has no room.
std::uint64_t limit_of_significand(int bits) { return static_cast<std::uint64_t>(std::ldexp(1.0, bits)); }

TEST(DataTypes, ExactLimits) {
  EXPECT_EQ(static_cast<float>(exact_integer_limit(DataType::float32)), 16777216.0F);
  EXPECT_EQ(static_cast<float>(exact_integer_limit(DataType::float32) + 1), 16777216.0F) << "one more is not exact";
  EXPECT_EQ(static_cast<double>(exact_integer_limit(DataType::float64) + 1), 9007199254740992.0)
      << "one more is not exact";
  EXPECT_EQ(exact_integer_limit(DataType::float16), limit_of_significand(11));
  EXPECT_EQ(exact_integer_limit(DataType::bfloat16), limit_of_significand(8));
  EXPECT_EQ(exact_integer_limit(DataType::float8_e4m3fn), limit_of_significand(4));
  EXPECT_EQ(exact_integer_limit(DataType::float8_e5m2), limit_of_significand(3));
  EXPECT_EQ(exact_integer_limit(DataType::int8), 127u);
  EXPECT_EQ(exact_integer_limit(DataType::uint8), 255u);
  EXPECT_EQ(exact_integer_limit(DataType::int32), 2147483647u);
  EXPECT_EQ(exact_integer_limit(DataType::uint32), 4294967295u);
  EXPECT_EQ(exact_integer_limit(DataType::int64), 9223372036854775807u);
  EXPECT_EQ(exact_integer_limit(DataType::uint64), 18446744073709551615u);
}

}  // namespace
}  // namespace shakedown
