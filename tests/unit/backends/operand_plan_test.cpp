// SPDX-License-Identifier: Apache-2.0
#include "backends/cublaslt/operand_plan.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <set>

#include "backends/cublaslt/operand_format.h"

namespace shakedown {
namespace {

constexpr Bytes cache{50u << 20};

std::uint64_t bytes_of(const OperandPlan& plan) {
  return plan.a_bytes() + plan.b_bytes() + plan.d_bytes() + plan.a_scales + plan.b_scales;
}

TEST(OperandPlan, InputsAndResultsFillTwiceTheCacheAndAreAligned) {
  for (const GemmType type : all_gemm_types()) {
    for (const GemmShape& shape : {GemmShape{1024, 1024, 1024}, {8192, 8192, 64}, {33, 17, 4096}, {8192, 8192, 8192}}) {
      const OperandPlan plan = plan_operands(type, shape, cache);
      EXPECT_GE(plan.places, 2u);
      EXPECT_GE(plan.d_places, 2u);
      EXPECT_GE(plan.a_bytes() + plan.b_bytes(), 2 * cache.count) << name_of(type) << " " << format_shape(shape);
      EXPECT_EQ(plan.a_stride % 256 + plan.b_stride % 256 + plan.d_stride % 256, 0u);
      EXPECT_GE(8 * plan.a_stride, shape.m * shape.k * input_bits_of(type));
    }
  }
}

TEST(OperandPlan, MemoryCoversThePlanAndTheWorkspace) {
  for (const GemmType type : all_gemm_types()) {
    for (std::uint64_t size = 16; size < 40000; size += 208) {
      const GemmShape shape{size, 48, 2 * size};
      EXPECT_GE(memory_of_plan(type, shape, cache).count, bytes_of(plan_operands(type, shape, cache)) + workspace_bytes)
          << name_of(type) << " " << format_shape(shape);
    }
  }
}

TEST(OperandPlan, MemorySaturates) {
  constexpr auto largest = std::numeric_limits<std::uint64_t>::max();
  for (const GemmType type : all_gemm_types()) {
    EXPECT_EQ(memory_of_plan(type, {largest, largest, largest}, cache).count, largest) << name_of(type);
    EXPECT_EQ(memory_of_plan(type, {largest, 1, 1}, cache).count, largest) << name_of(type);
  }
}

TEST(ScaleOffset, GivesEachBlockAPlaceOfItsOwnWithinTheBytes) {
  constexpr std::uint64_t rows = 200;
  constexpr std::uint64_t blocks = 9;
  const OperandPlan plan = plan_operands(GemmType::mxfp8, {rows, 16, 32 * blocks}, cache);
  std::set<std::uint64_t> seen;
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::uint64_t block = 0; block < blocks; ++block) {
      const std::uint64_t offset = scale_offset(row, block, blocks);
      EXPECT_LT(offset, plan.a_scales);
      EXPECT_TRUE(seen.insert(offset).second) << row << " " << block;
    }
  }
  // Rows of a tile are interleaved by 32, as cuBLAS's documentation draws them.
  EXPECT_EQ(scale_offset(0, 3, blocks), 3u);
  EXPECT_EQ(scale_offset(1, 0, blocks), 16u);
  EXPECT_EQ(scale_offset(32, 0, blocks), 4u);
  EXPECT_EQ(scale_offset(0, 4, blocks), 512u);
  EXPECT_EQ(scale_offset(128, 0, blocks), 3 * 512u);
}

template <std::size_t size>
std::vector<double> decoded(OperandFormat format, const std::array<unsigned char, size>& bytes) {
  return decode(format, std::as_bytes(std::span(bytes)));
}

TEST(OperandFormat, DecodesWhatLiesInMemory) {
  using Values = std::vector<double>;
  EXPECT_EQ(decoded<2>(OperandFormat::e2m1_pairs, {0x21, 0xF9}), (Values{0.5, 1, -0.5, -6}));
  EXPECT_EQ(decoded<3>(OperandFormat::e8m0_scales, {126, 127, 130}), (Values{0.5, 1, 8}));
  EXPECT_EQ(decoded<2>(OperandFormat::e4m3_scales, {0x30, 0x38}), (Values{0.5, 1}));
  EXPECT_EQ(decoded<2>(OperandFormat::e4m3, {0x38, 0xFE}), (Values{1, -448}));
  EXPECT_EQ(decoded<2>(OperandFormat::e5m2, {0x3C, 0x7B}), (Values{1, 57344}));
  EXPECT_EQ(decoded<4>(OperandFormat::bf16, {0x80, 0x3F, 0x00, 0xC0}), (Values{1, -2}));
  EXPECT_EQ(decoded<2>(OperandFormat::s8, {0x80, 0x7F}), (Values{-128, 127}));
  EXPECT_EQ(decoded<4>(OperandFormat::s32, {0x80, 0x80, 0x80, 0x80}), Values{-2139062144});
}

TEST(OperandFormat, EachKindHasItsOwnAsTheReportTellsThem) {
  for (const GemmType type : all_gemm_types()) {
    const KindFormats formats = formats_of(type);
    EXPECT_EQ(size_of(formats.d), output_size_of(type)) << name_of(type);
    EXPECT_EQ(8 * size_of(formats.a), type == GemmType::nvfp4 ? 8u : input_bits_of(type)) << name_of(type);
  }
  EXPECT_NE(formats_of(GemmType::float8_e5m2).a, formats_of(GemmType::float8_e5m2).b);
}

}  // namespace
}  // namespace shakedown
