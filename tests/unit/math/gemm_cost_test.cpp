// SPDX-License-Identifier: Apache-2.0
#include "shakedown/math/gemm_cost.h"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace shakedown {
namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

TEST(GemmCost, CountsAMultiplicationAndAnAdditionATerm) {
  EXPECT_EQ(operations_of({128, 256, 512}), 33554432.0);
  EXPECT_EQ(operations_of({1, 1, 1}), 2.0);
  EXPECT_EQ(operations_of({1ull << 40, 1ull << 40, 1ull << 40}), 0x1p121) << "far beyond 64 bits";
}

TEST(GemmCost, CountsBytesOfBothInputsAndOfTheOutput) {
  const GemmShape shape{128, 256, 512};  // 65536 + 131072 elements in, 32768 out
  EXPECT_EQ(input_bytes_of(shape, GemmType::float64).count, 1572864u);
  EXPECT_EQ(input_bytes_of(shape, GemmType::tfloat32).count, 786432u);
  EXPECT_EQ(input_bytes_of(shape, GemmType::bfloat16).count, 393216u);
  EXPECT_EQ(input_bytes_of(shape, GemmType::float8_e4m3fn).count, 196608u);
  EXPECT_EQ(input_bytes_of(shape, GemmType::nvfp4).count, 98304u);
  EXPECT_EQ(output_bytes_of(shape, GemmType::bfloat16).count, 65536u);
  EXPECT_EQ(output_bytes_of(shape, GemmType::nvfp4).count, 65536u) << "bfloat16 out";
  EXPECT_EQ(output_bytes_of(shape, GemmType::int8).count, 131072u) << "int32 out";
}

TEST(GemmCost, HalfABytesIsAWholeOne) {
  EXPECT_EQ(input_bytes_of({1, 1, 1}, GemmType::nvfp4).count, 1u);
  EXPECT_EQ(input_bytes_of({1, 2, 1}, GemmType::nvfp4).count, 2u);
}

TEST(GemmCost, SaturatesWhereBytesPass64Bits) {
  EXPECT_EQ(input_bytes_of({1ull << 40, 1ull << 40, 1ull << 40}, GemmType::bfloat16).count, most);
  EXPECT_EQ(input_bytes_of({1ull << 62, 1, 2}, GemmType::bfloat16).count, most) << "the elements fit, the bytes do not";
  EXPECT_EQ(input_bytes_of({most, most, 1}, GemmType::nvfp4).count, most);
  EXPECT_EQ(output_bytes_of({1ull << 32, 1ull << 32, 1}, GemmType::float32).count, most);
  EXPECT_EQ(output_bytes_of({1ull << 31, 1ull << 30, 1}, GemmType::float32).count, 1ull << 63);
}

TEST(WaveEfficiency, IsOneWhenTilesFillTheUnits) {
  EXPECT_EQ(wave_efficiency({1536, 2816, 64}, {128, 256}, 132), 1.0) << "12 x 11 tiles";
  EXPECT_EQ(wave_efficiency({5632, 3072, 64}, {128, 256}, 132), 1.0) << "44 x 12 tiles are four waves";
  EXPECT_EQ(wave_efficiency({1, 1, 1}, {1, 1}, 1), 1.0);
}

TEST(WaveEfficiency, LosesWhatALastWaveLeavesIdle) {
  EXPECT_DOUBLE_EQ(wave_efficiency({2048, 2048, 64}, {128, 256}, 132), 128.0 / 132.0);
  EXPECT_DOUBLE_EQ(wave_efficiency({8192, 8192, 64}, {128, 256}, 132), 2048.0 / (16 * 132));
  EXPECT_DOUBLE_EQ(wave_efficiency({1536, 2944, 64}, {128, 256}, 132), 138.0 / 264.0)
      << "half a tile too wide: 144 tiles of which 12 are half empty, in two waves";
}

TEST(WaveEfficiency, LosesWhatTilesReachOverTheEdge) {
  EXPECT_DOUBLE_EQ(wave_efficiency({129, 256, 64}, {128, 256}, 1), 129.0 / 256.0);
  EXPECT_DOUBLE_EQ(wave_efficiency({1, 1, 64}, {128, 256}, 1), 1.0 / 32768.0);
}

TEST(WaveEfficiency, TakesTheBestOfTheLibrarysTiles) {
  const GemmShape shape{2048, 4224, 18944};
  EXPECT_LT(wave_efficiency(shape, {128, 256}, 132), 0.7) << "16 x 17 tiles, in three waves";
  EXPECT_EQ(wave_efficiency(shape, 132), 1.0) << "8 x 33 tiles of 256 x 128, in two";
  for (const Tile& tile : library_tiles())
    EXPECT_GE(wave_efficiency({1000, 3000, 64}, 132), wave_efficiency({1000, 3000, 64}, tile, 132));
}

TEST(WaveEfficiency, NeedsSomethingToDivideBy) {
  EXPECT_THROW(wave_efficiency({0, 1, 1}, {128, 128}, 132), std::invalid_argument);
  EXPECT_THROW(wave_efficiency({1, 1, 1}, {128, 0}, 132), std::invalid_argument);
  EXPECT_THROW(wave_efficiency({1, 1, 1}, {128, 128}, 0), std::invalid_argument);
}

}  // namespace
}  // namespace shakedown
