// SPDX-License-Identifier: Apache-2.0
#include "shakedown/base/stage_board.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>

namespace shakedown {
namespace {

TEST(StageBoard, CodesFitAThreadNameAndDiffer) {
  std::set<std::string> codes;
  std::set<std::string> descriptions;
  for (int i = 0; i <= static_cast<int>(Stage::done); ++i) {
    const auto stage = static_cast<Stage>(i);
    EXPECT_LE(std::strlen(code_of(stage)), 10u) << code_of(stage);
    EXPECT_TRUE(codes.insert(code_of(stage)).second) << code_of(stage);
    EXPECT_TRUE(descriptions.insert(describe(stage)).second) << describe(stage);
  }
  EXPECT_EQ(codes.count("unknown"), 0u) << "a stage has no code";
}

TEST(StageBoard, EveryStepIsABeat) {
  StageBoard board{Seconds{5}};
  const auto before = board.view();
  EXPECT_EQ(before.stage, Stage::starting);
  board.enter(Stage::mpi_init);
  board.beat();
  EXPECT_EQ(board.view().stage, Stage::mpi_init);
  EXPECT_EQ(board.view().steps, before.steps + 2);
}

TEST(StageBoard, LimitOnlyRisesAndNoneStaysNone) {
  StageBoard board{Seconds{5}};
  board.allow_at_least(Seconds{3});
  EXPECT_EQ(board.view().limit, Seconds{5});
  board.allow_at_least(Seconds{9});
  EXPECT_EQ(board.view().limit, Seconds{9});
  StageBoard endless{Seconds{0}};
  endless.allow_at_least(Seconds{9});
  EXPECT_EQ(endless.view().limit, Seconds{0});
}

}  // namespace
}  // namespace shakedown
