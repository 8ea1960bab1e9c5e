// SPDX-License-Identifier: Apache-2.0
#include "shakedown/math/shape_grid.h"

#include <gtest/gtest.h>

#include <numeric>
#include <string>

#include "shakedown/base/error.h"

namespace shakedown {
namespace {

using Numbers = std::vector<std::uint64_t>;

std::string refusal_of(const DimensionRange& range) {
  try {
    expand(range, "--m-range");
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(DimensionRanges, GrowByTheStepAndExcludeTheStop) {
  EXPECT_EQ(expand({1024, 4096, 1024}, "--m-range"), (Numbers{1024, 2048, 3072}));
  EXPECT_EQ(expand({1024, 4097, 1024}, "--m-range"), (Numbers{1024, 2048, 3072, 4096}));
  EXPECT_EQ(expand({512, 513, 64}, "--m-range"), (Numbers{512}));
}

TEST(DimensionRanges, ThatStartAtZeroStartAtTheStep) {
  EXPECT_EQ(expand({0, 4096, 1024}, "--m-range"), (Numbers{1024, 2048, 3072}));
  EXPECT_EQ(expand({0, 16384, 1024}, "--m-range").size(), 15u);
}

TEST(DimensionRanges, Have64Bits) {
  EXPECT_EQ(expand({1ull << 63, ~0ull, 1ull << 62}, "--m-range"), (Numbers{1ull << 63, (1ull << 63) + (1ull << 62)}));
}

TEST(DimensionRanges, WithoutASingleNumberAreRefused) {
  for (const DimensionRange& range : {DimensionRange{0, 1024, 0},
                                      {2048, 1024, 64},
                                      {1024, 1024, 64},
                                      {0, 1024, 1024},
                                      {0, 0, 1},
                                      {1, 1ull << 40, 1}}) {
    EXPECT_NE(refusal_of(range).find("--m-range"), std::string::npos) << range.start << " " << range.stop;
  }
  EXPECT_NE(refusal_of({0, 1024, 1024}).find("excluded"), std::string::npos);
}

TEST(ShapeGrids, VaryMSlowestAndKFastest) {
  EXPECT_EQ(shape_grid({1, 2}, {3}, {5, 4}), (std::vector<GemmShape>{{1, 3, 5}, {1, 3, 4}, {2, 3, 5}, {2, 3, 4}}));
}

TEST(ShapeGrids, HoldEachShapeOnce) {
  EXPECT_EQ(shape_grid({8, 8, 4, 8}, {2}, {3, 3}), (std::vector<GemmShape>{{8, 2, 3}, {4, 2, 3}}));
}

TEST(ShapeGrids, OfTheBooksRangesHave3375Shapes) {
  const Numbers side = expand({0, 16384, 1024}, "--m-range");
  const auto shapes = shape_grid(side, side, side);
  EXPECT_EQ(shapes.size(), 3375u);
  EXPECT_EQ(shapes.back(), (GemmShape{15360, 15360, 15360}));
}

TEST(ShapeGrids, OfNothingAreEmpty) { EXPECT_TRUE(shape_grid({1}, {}, {1}).empty()); }

TEST(ShapeGrids, BeyondTheLimitAreRefusedBeforeTheyTakeMemory) {
  Numbers side(2048);
  std::iota(side.begin(), side.end(), 1u);
  try {
    shape_grid(side, side, side);  // 2^33
    FAIL() << "2^33 shapes were made";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("8.59e+09"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace shakedown
