// SPDX-License-Identifier: Apache-2.0
#include "shakedown/math/check_pattern.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <tuple>

namespace shakedown {
namespace {

/// Indices near 0, around 2^31 and 2^32, and far out.
std::vector<std::uint64_t> some_indices() {
  std::vector<std::uint64_t> list;
  for (const std::uint64_t base : {0ull, (1ull << 31) - 4, (1ull << 32) - 4, 1ull << 40}) {
    for (std::uint64_t i = 0; i < 8; ++i) list.push_back(base + i);
  }
  return list;
}

class Pattern : public testing::TestWithParam<std::tuple<DataType, int>> {
 protected:
  DataType type() const { return std::get<0>(GetParam()); }
  std::uint32_t ranks() const { return static_cast<std::uint32_t>(std::get<1>(GetParam())); }
  CheckPattern pattern() const { return make_check_pattern(type(), std::get<1>(GetParam()), 42); }
};

TEST_P(Pattern, ContributionsSumToThePatternsSum) {
  const CheckPattern p = pattern();
  for (const std::uint64_t index : some_indices()) {
    std::int64_t sum = 0;
    for (std::uint32_t rank = 0; rank < ranks(); ++rank) sum += pattern_contribution(p, rank, index);
    ASSERT_EQ(sum, pattern_sum(p, index)) << "index " << index;
  }
}

TEST_P(Pattern, EveryPartialSumIsExactInAnyOrder) {
  // Contributions at one index share their sign, so no partial sum in any order is larger than the sum of magnitudes.
  const CheckPattern p = pattern();
  const std::uint64_t limit = exact_integer_limit(type());
  for (const std::uint64_t index : some_indices()) {
    std::uint64_t magnitudes = 0;
    for (std::uint32_t rank = 0; rank < ranks(); ++rank) {
      const std::int64_t value = pattern_contribution(p, rank, index);
      ASSERT_TRUE(p.negative || value >= 0);
      magnitudes += static_cast<std::uint64_t>(std::abs(value));
    }
    ASSERT_LE(magnitudes, limit) << "index " << index;
  }
  EXPECT_LE(std::uint64_t{p.max_scale} * p.weight_sum, limit) << "the greatest sum at any index";
}

TEST_P(Pattern, UnsignedTypesNeverGoNegative) {
  const bool is_unsigned = name_of(type()).front() == 'u';
  EXPECT_EQ(pattern().negative, !is_unsigned);
}

TEST_P(Pattern, AShiftOfOneElementShows) {
  const CheckPattern p = pattern();
  int differ = 0;
  constexpr int indices = 4000;
  for (std::uint64_t i = 0; i < indices; ++i) differ += pattern_sum(p, i) != pattern_sum(p, i + 1) ? 1 : 0;
  // At least four scales; a sign doubles the values.
  EXPECT_GT(differ, indices * (p.negative ? 8 : 7) / 10);
  if (size_of(type()) >= 4 && ranks() <= 1000) {
    EXPECT_GT(differ, indices * 99 / 100);
  }
}

TEST_P(Pattern, AMissingRankShows) {
  const CheckPattern p = pattern();
  for (const std::uint32_t rank : {0u, ranks() / 2, ranks() - 1}) {
    std::uint64_t index = 0;
    while (index < 1'000'000 && pattern_contribution(p, rank, index) == 0) ++index;
    EXPECT_LT(index, 1'000'000u) << "rank " << rank << " never puts anything in";
  }
}

TEST_P(Pattern, TwoSwappedRanksOfADensePatternDiffer) {
  const CheckPattern p = pattern();
  if (!p.alternate || ranks() < 2) return;
  int differ = 0;
  for (std::uint64_t i = 0; i < 100; ++i)
    differ += pattern_contribution(p, 0, i) != pattern_contribution(p, 1, i) ? 1 : 0;
  EXPECT_GT(differ, 50);
}

std::string label(const testing::TestParamInfo<std::tuple<DataType, int>>& info) {
  return std::string{name_of(std::get<0>(info.param))} + "_" + std::to_string(std::get<1>(info.param));
}

INSTANTIATE_TEST_SUITE_P(All, Pattern,
                         testing::Combine(testing::ValuesIn(all_data_types().begin(), all_data_types().end()),
                                          testing::Values(1, 2, 3, 4, 8, 64, 1000, 70000)),
                         label);

TEST(CheckPattern, OneRankStillVariesOverTheIndex) {
  const CheckPattern p = make_check_pattern(DataType::float8_e5m2, 1, 0);
  std::int64_t least = 0;
  std::int64_t greatest = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) {
    least = std::min<std::int64_t>(least, pattern_contribution(p, 0, i));
    greatest = std::max<std::int64_t>(greatest, pattern_contribution(p, 0, i));
  }
  EXPECT_EQ(least, -8);
  EXPECT_EQ(greatest, 8);
}

TEST(CheckPattern, WideTypesUseEveryRankAndNarrowOnesAsManyAsFit) {
  EXPECT_EQ(make_check_pattern(DataType::float32, 64, 0).weighted, 64u);
  EXPECT_TRUE(make_check_pattern(DataType::float32, 64, 0).alternate);
  const CheckPattern narrow = make_check_pattern(DataType::int8, 64, 0);
  EXPECT_FALSE(narrow.alternate);
  EXPECT_EQ(narrow.weighted, 31u);  // 127 / 4
  EXPECT_EQ(narrow.max_scale, 4u);
}

TEST(CheckPattern, ManyRanksOfAWideTypeStayWithin64Bits) {
  const CheckPattern p = make_check_pattern(DataType::uint64, 2147483647, 0);
  EXPECT_EQ(p.weight_sum, 3221225470u);
  EXPECT_LE(std::uint64_t{p.max_scale} * p.weight_sum, exact_integer_limit(DataType::int64));
}

TEST(CheckPattern, SeedsDiffer) {
  const CheckPattern a = make_check_pattern(DataType::float32, 8, 1);
  const CheckPattern b = make_check_pattern(DataType::float32, 8, 2);
  int differ = 0;
  for (std::uint64_t i = 0; i < 1000; ++i) differ += pattern_sum(a, i) != pattern_sum(b, i) ? 1 : 0;
  EXPECT_GT(differ, 990);
}

TEST(CheckPattern, NeedsARank) { EXPECT_THROW(make_check_pattern(DataType::float32, 0, 0), std::invalid_argument); }

}  // namespace
}  // namespace shakedown
