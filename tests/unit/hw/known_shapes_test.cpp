// SPDX-License-Identifier: Apache-2.0
#include "shakedown/hw/known_shapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace shakedown {
namespace {

ChipFacts chip(const std::string& name, int major, int minor) {
  return {.name = name, .cc_major = major, .cc_minor = minor, .units = 132, .max_clock_mhz = std::nullopt};
}

bool holds(const std::vector<GemmShape>& shapes, const GemmShape& shape) {
  return std::find(shapes.begin(), shapes.end(), shape) != shapes.end();
}

TEST(KnownShapes, AreThoseOfTheGenerationAndWidth) {
  const ChipFacts h200 = chip("NVIDIA H200", 9, 0);
  EXPECT_TRUE(holds(known_good_shapes(h200, GemmType::bfloat16), {2048, 4224, 18944}));
  EXPECT_TRUE(holds(known_good_shapes(h200, GemmType::float8_e4m3fn), {2048, 12288, 16384}));
  EXPECT_FALSE(holds(known_good_shapes(h200, GemmType::float8_e4m3fn), {2048, 4224, 18944}));
  EXPECT_EQ(known_good_shapes(h200, GemmType::float16), known_good_shapes(h200, GemmType::bfloat16));
  EXPECT_EQ(known_good_shapes(chip("NVIDIA H100 PCIe", 9, 0), GemmType::int8),
            known_good_shapes(h200, GemmType::float8_e5m2));
  EXPECT_FALSE(holds(known_good_shapes(chip("NVIDIA B200", 10, 0), GemmType::bfloat16), {2048, 4224, 18944}));
  EXPECT_FALSE(known_good_shapes(chip("NVIDIA A100-SXM4-80GB", 8, 0), GemmType::bfloat16).empty());
}

TEST(KnownShapes, OfAnUnknownNameAreThoseOfItsCapability) {
  EXPECT_EQ(known_good_shapes(chip("NVIDIA H9000", 9, 0), GemmType::bfloat16),
            known_good_shapes(chip("NVIDIA H200", 9, 0), GemmType::bfloat16));
}

TEST(KnownShapes, AreNoneWhereNothingWasMeasured) {
  EXPECT_TRUE(known_good_shapes(chip("NVIDIA L4", 8, 9), GemmType::bfloat16).empty());
  EXPECT_TRUE(known_good_shapes(chip("NVIDIA H200", 9, 0), GemmType::float64).empty());
  EXPECT_TRUE(known_good_shapes(chip("Mystery", 99, 0), GemmType::bfloat16).empty());
}

TEST(KnownShapes, SuitEveryTypeThatTheyAreGivenFor) {
  for (const char* name : {"NVIDIA A100-SXM4-80GB", "NVIDIA H200", "NVIDIA B200", "NVIDIA B300 SXM6 AC"}) {
    for (const GemmType type : all_gemm_types()) {
      const auto shapes = known_good_shapes(chip(name, 0, 0), type);
      EXPECT_EQ(std::set<GemmShape>(shapes.begin(), shapes.end()).size(), shapes.size()) << name << name_of(type);
      for (const GemmShape& shape : shapes)
        EXPECT_EQ(shape.m % 64 + shape.n % 64 + shape.k % 64, 0u) << format_shape(shape);
    }
  }
}

}  // namespace
}  // namespace shakedown
