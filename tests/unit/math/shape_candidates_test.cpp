// SPDX-License-Identifier: Apache-2.0
#include "shakedown/math/shape_candidates.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "shakedown/math/gemm_cost.h"

namespace shakedown {
namespace {

constexpr std::size_t screened = 200;

CandidateSpace space_of(int units) {
  return {.units = units, .known_good = {}, .multiple = 64, .least_operations = 3e10, .most_operations = 2e12};
}

double ratio(std::uint64_t a, std::uint64_t b) {
  return static_cast<double>(std::max(a, b)) / static_cast<double>(std::min(a, b));
}

/// By which factor the worst side of the candidate nearest to `shape` is off.
double nearest_ratio(const std::vector<GemmShape>& candidates, const GemmShape& shape) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const GemmShape& one : candidates) {
    const double worst = std::max({ratio(one.m, shape.m), ratio(one.n, shape.n), ratio(one.k, shape.k)});
    nearest = std::min(nearest, worst);
  }
  return nearest;
}

bool is_on_lattice(const GemmShape& shape) { return shape.m % 1024 == 0 && shape.n % 1024 == 0 && shape.k % 1024 == 0; }

TEST(ShapeCandidates, AreAsManyAsAskedAndAllDifferent) {
  for (const int units : {0, 1, 97, 108, 114, 132, 148}) {
    const auto list = shape_candidates(space_of(units), screened);
    EXPECT_EQ(list.size(), screened) << units;
    EXPECT_EQ(std::set<GemmShape>(list.begin(), list.end()).size(), screened) << units;
  }
}

TEST(ShapeCandidates, KeepToTheMultipleAndTheLimits) {
  for (const std::uint64_t multiple : {16u, 64u, 96u, 128u, 1000u}) {
    CandidateSpace space = space_of(132);
    space.multiple = multiple;
    const auto list = shape_candidates(space, screened);
    EXPECT_EQ(list.size(), screened) << multiple;
    for (const GemmShape& shape : list) {
      EXPECT_EQ(shape.m % multiple + shape.n % multiple + shape.k % multiple, 0u) << format_shape(shape);
      EXPECT_GE(operations_of(shape), space.least_operations) << format_shape(shape);
      EXPECT_LE(operations_of(shape), space.most_operations) << format_shape(shape);
    }
  }
}

TEST(ShapeCandidates, AreTheSameEachTimeAndForEveryCount) {
  const auto all = shape_candidates(space_of(132), screened);
  EXPECT_EQ(shape_candidates(space_of(132), screened), all);
  EXPECT_EQ(shape_candidates(space_of(132), 50), std::vector<GemmShape>(all.begin(), all.begin() + 50));
}

TEST(ShapeCandidates, StartWithTheKnownGoodOnesWhateverTheLimits) {
  CandidateSpace space = space_of(132);
  space.known_good = {{64, 64, 64}, {2048, 4224, 18944}, {64, 64, 64}};
  const auto list = shape_candidates(space, 20);
  ASSERT_EQ(list.size(), 20u);
  EXPECT_EQ(list[0], (GemmShape{64, 64, 64}));
  EXPECT_EQ(list[1], (GemmShape{2048, 4224, 18944}));
  EXPECT_EQ(std::count(list.begin(), list.end(), list[0]), 1);
  EXPECT_EQ(shape_candidates(space, 1), (std::vector<GemmShape>{{64, 64, 64}}));
  space.most_operations = 1;
  EXPECT_EQ(shape_candidates(space, 20).size(), 2u) << "the limits leave no other";
}

TEST(ShapeCandidates, HaveANeighbourOfEveryWinnerThatIsKnown) {
  // A factor of 1.42, half an octave, on the worst side: a climb of a few steps.
  const std::map<int, std::vector<GemmShape>> winners{
      {132,
       {{2048, 4224, 18944},
        {2048, 4096, 15360},
        {3072, 2816, 16384},
        {2048, 12288, 16384},
        {2048, 2048, 13312},
        {1024, 15360, 4096},
        {1280, 4096, 12032},
        {8192, 8192, 8192},
        {1024, 9216, 14336}}},
      {108, {{1024, 10240, 5120}, {2048, 5120, 6144}}},
      {148, {{1792, 16128, 3072}, {4096, 9728, 2048}, {12288, 18432, 1024}, {15360, 4096, 3072}}}};
  for (const auto& [units, shapes] : winners) {
    const auto list = shape_candidates(space_of(units), screened);
    for (const GemmShape& shape : shapes) EXPECT_LT(nearest_ratio(list, shape), 1.42) << format_shape(shape);
  }
}

TEST(ShapeCandidates, CoverSizesAndDepthsWithTheFirstFifty) {
  std::map<int, int> of_size;
  std::map<int, int> of_depth;
  std::map<bool, int> of_orientation;
  for (const GemmShape& shape : shape_candidates(space_of(132), 50)) {
    ++of_size[static_cast<int>(std::log2(operations_of(shape) / 3e10))];
    ++of_depth[shape.k <= 2048 ? 0 : shape.k <= 8192 ? 1 : 2];
    ++of_orientation[shape.m > shape.n];
  }
  for (int octave = 0; octave <= 5; ++octave) EXPECT_GE(of_size[octave], 4) << octave;
  for (int depth = 0; depth <= 2; ++depth) EXPECT_GE(of_depth[depth], 8) << depth;
  EXPECT_GE(of_orientation[false], 10);
  EXPECT_GE(of_orientation[true], 10);
}

TEST(ShapeCandidates, FillTheChip) {
  for (const int units : {108, 114, 132, 148}) {
    const auto list = shape_candidates(space_of(units), screened);
    const auto full = std::count_if(list.begin(), list.end(),
                                    [&](const GemmShape& shape) { return wave_efficiency(shape, units) >= 0.96; });
    EXPECT_GE(full, 180) << units;
    const auto whole = std::count_if(list.begin(), list.end(),
                                     [&](const GemmShape& shape) { return wave_efficiency(shape, units) == 1.0; });
    EXPECT_GE(whole, 50) << units;
  }
}

TEST(ShapeCandidates, HoldTheBestOfTheLattice) {
  const auto list = shape_candidates(space_of(132), screened);
  EXPECT_GE(std::count_if(list.begin(), list.end(), is_on_lattice), 50);
  EXPECT_TRUE(std::any_of(list.begin(), list.end(), [](const GemmShape& shape) {
    return is_on_lattice(shape) && (shape.m == 11264 || shape.n == 11264);
  })) << "the lattice's only side that 132 units divide";
}

TEST(ShapeCandidates, ServeAFewCoresToo) {
  CandidateSpace space = space_of(2);
  space.least_operations = 1e9;
  space.most_operations = 2e10;
  EXPECT_EQ(shape_candidates(space, screened).size(), screened);
}

TEST(Neighbours, AreOneStepAwayOnEachSide) {
  EXPECT_EQ(neighbours_of({2048, 4096, 8192}, 1024), (std::vector<GemmShape>{{3072, 4096, 8192},
                                                                             {1024, 4096, 8192},
                                                                             {2048, 5120, 8192},
                                                                             {2048, 3072, 8192},
                                                                             {2048, 4096, 9216},
                                                                             {2048, 4096, 7168},
                                                                             {4096, 2048, 8192}}));
}

TEST(Neighbours, LandOnMultiplesOfTheStep) {
  EXPECT_EQ(neighbours_of({2816, 3072, 1024}, 1024), (std::vector<GemmShape>{{3072, 3072, 1024},
                                                                             {2048, 3072, 1024},
                                                                             {2816, 4096, 1024},
                                                                             {2816, 2048, 1024},
                                                                             {2816, 3072, 2048},
                                                                             {3072, 2816, 1024}}))
      << "k has no step below";
}

TEST(Neighbours, NeverGoBelowOneStepNorWrap) {
  EXPECT_EQ(neighbours_of({64, 64, 64}, 64), (std::vector<GemmShape>{{128, 64, 64}, {64, 128, 64}, {64, 64, 128}}));
  EXPECT_TRUE(neighbours_of({64, 64, 64}, 0).empty());
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  for (const GemmShape& shape : neighbours_of({most, 64, 64}, 64)) EXPECT_GE(shape.m, 64u);
}

}  // namespace
}  // namespace shakedown
