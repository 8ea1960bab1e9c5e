// SPDX-License-Identifier: Apache-2.0
#include "shakedown/math/sweep.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "shakedown/base/error.h"

namespace shakedown {
namespace {

std::vector<std::uint64_t> counts(const SizeSweep& sweep) {
  std::vector<std::uint64_t> list;
  for (const Bytes size : sizes_of(sweep)) list.push_back(size.count);
  return list;
}

std::string refusal(const SizeSweep& sweep) {
  try {
    sizes_of(sweep);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

constexpr std::uint64_t kib = 1024;
using Counts = std::vector<std::uint64_t>;

TEST(SizeSweep, StepIncludesBothEnds) {
  EXPECT_EQ(counts({Bytes{64 * kib}, Bytes{70 * kib}, {}, Bytes{2 * kib}}),
            (Counts{64 * kib, 66 * kib, 68 * kib, 70 * kib}));
  EXPECT_EQ(counts({Bytes{8}, Bytes{15}, {}, Bytes{4}}), (Counts{8, 12}));
}

TEST(SizeSweep, AStepWithoutItsSuffixIsRefusedWithTheCount) {
  const std::string message = refusal({Bytes{64 << 20}, Bytes{70 << 20}, {}, Bytes{2}});
  EXPECT_NE(message.find("3145729"), std::string::npos) << message;
  EXPECT_NE(message.find("2M"), std::string::npos) << message;
}

TEST(SizeSweep, StepWinsOverFactor) { EXPECT_EQ(counts({Bytes{8}, Bytes{24}, 2.0, Bytes{8}}), (Counts{8, 16, 24})); }

TEST(SizeSweep, FactorDoublesAndRoundsDown) {
  EXPECT_EQ(counts({Bytes{8}, Bytes{64}, 2.0, {}}), (Counts{8, 16, 32, 64}));
  EXPECT_EQ(counts({Bytes{8}, Bytes{70}, 2.0, {}}), (Counts{8, 16, 32, 64}));
  EXPECT_EQ(counts({Bytes{8}, Bytes{41}, 1.5, {}}), (Counts{8, 12, 18, 27, 40}));
  EXPECT_EQ(counts({Bytes{10}, Bytes{17}, 1.7, {}}), (Counts{10, 17})) << "1.7 is a little less in binary";
}

TEST(SizeSweep, EqualEndsGiveOneRow) {
  EXPECT_EQ(counts({Bytes{1 << 20}, Bytes{1 << 20}, 2.0, {}}), (Counts{1 << 20}));
  EXPECT_EQ(counts({Bytes{1 << 20}, Bytes{1 << 20}, {}, Bytes{8}}), (Counts{1 << 20}));
  EXPECT_EQ(counts({Bytes{1 << 20}, Bytes{1 << 20}, {}, {}}), (Counts{1 << 20}));
}

TEST(SizeSweep, RefusesWhatNeverEnds) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double factor :
       {1.0, 0.0, -2.0, 0.5, 1.0000001, infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_NE(refusal({Bytes{8}, Bytes{8 * kib}, factor, {}}), "") << factor;
  }
  EXPECT_NE(refusal({Bytes{8}, Bytes{8 * kib}, {}, Bytes{0}}), "");
  EXPECT_NE(refusal({Bytes{8}, Bytes{8 * kib}, {}, {}}), "");
  EXPECT_NE(refusal({Bytes{0}, Bytes{8 * kib}, 2.0, {}}), "") << "0 does not grow";
  EXPECT_NE(refusal({Bytes{1ull << 40}, Bytes{1ull << 62}, 1.0000001, {}}), "") << "too many sizes";
}

TEST(SizeSweep, RefusesAnInvertedRangeAndNamesBothEnds) {
  const std::string message = refusal({Bytes{8 << 20}, Bytes{1 << 20}, 2.0, {}});
  EXPECT_NE(message.find("8 MiB"), std::string::npos) << message;
  EXPECT_NE(message.find("1 MiB"), std::string::npos) << message;
}

TEST(SizeSweep, StopsCleanlyBelowTwoToThe63) {
  const std::uint64_t last = (1ull << 63) - 1;
  EXPECT_EQ(counts({Bytes{1ull << 61}, Bytes{last}, 2.0, {}}), (Counts{1ull << 61, 1ull << 62}));
  EXPECT_EQ(counts({Bytes{last - 8}, Bytes{last}, {}, Bytes{5}}), (Counts{last - 8, last - 3}));
  EXPECT_EQ(counts({Bytes{last}, Bytes{last}, 1e300, {}}), (Counts{last}));
  EXPECT_NE(refusal({Bytes{8}, Bytes{1ull << 63}, 2.0, {}}), "");
}

TEST(SizeSweep, RisesAndNeverRepeats) {
  for (const double factor : {1.1, 1.25, 1.5, 2.0, 3.7}) {
    const Counts sizes = counts({Bytes{16}, Bytes{1ull << 40}, factor, {}});
    for (std::size_t i = 1; i < sizes.size(); ++i) ASSERT_LT(sizes[i - 1], sizes[i]) << factor;
    EXPECT_LE(sizes.back(), 1ull << 40);
    EXPECT_GT(static_cast<double>(sizes.back()) * factor, static_cast<double>(1ull << 40));
  }
}

}  // namespace
}  // namespace shakedown
