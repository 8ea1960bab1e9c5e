// SPDX-License-Identifier: Apache-2.0
#include "app/silence.h"

#include <gtest/gtest.h>

namespace shakedown {
namespace {

Whoami on_node_a(int rank, int local_size, int announced_size) {
  return {"bench", "node-a", "job", announced_size, local_size, rank};
}

/// Rank r has pid 100 + r; with all ranks on one host the local rank is the rank.
Sibling sibling(int rank, const std::string& stage, char state = 'S', StageMark mark = StageMark::fired) {
  return {100 + rank, rank, rank, "bench", state, stage, mark};
}

Sibling wrapper(int rank) { return {50 + rank, rank, rank, "sh", 'S', "", StageMark::waiting}; }

StageBoard::View waiting_in(Stage stage) { return {stage, 7, Seconds{5}}; }

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Silence, NamesAStoppedRankAndHowToGoOn) {
  const LocalView view{100, {sibling(0, "timed_loop"), sibling(1, "timed_loop", 'T')}, {}};
  const SilenceReport report = describe_silence(on_node_a(0, 2, 2), waiting_in(Stage::timed_loop), view);
  EXPECT_TRUE(report.names_culprit);
  const std::string start = std::string{"bench: no answer for 5 s "} + describe(Stage::timed_loop) +
                            " (rank 0, node-a): rank 1 (pid 101, node-a) is stopped; continue it with kill -CONT 101\n";
  EXPECT_EQ(report.text.substr(0, start.size()), start);
  EXPECT_TRUE(holds(report.text, "  try: "));
}

TEST(Silence, TellsGoneFromNeverStarted) {
  const LocalView view{
      100, {sibling(0, "mpi_init")}, {sibling(0, "mpi_init"), sibling(2, "mpi_init", 'S', StageMark::waiting)}};
  const SilenceReport report = describe_silence(on_node_a(0, 3, 3), waiting_in(Stage::mpi_init), view);
  EXPECT_TRUE(report.names_culprit);
  EXPECT_TRUE(holds(report.text, "rank 2 (pid 102, node-a) is gone")) << report.text;
  EXPECT_TRUE(holds(report.text, "rank 1 (node-a) never started")) << report.text;
  EXPECT_TRUE(holds(report.text, "OMPI_MCA_btl_tcp_if_include")) << report.text;
}

TEST(Silence, TakesAZombieForGone) {
  const LocalView view{100, {sibling(0, "vote"), sibling(1, "", 'Z')}, {sibling(1, "vote", 'S', StageMark::waiting)}};
  EXPECT_TRUE(holds(describe_silence(on_node_a(0, 2, 2), waiting_in(Stage::vote), view).text,
                    "rank 1 (pid 101, node-a) is gone"));
}

TEST(Silence, AccusesNobodyWhoLeftAtItsOwnDeadline) {
  const LocalView view{100, {sibling(0, "vote")}, {sibling(0, "vote"), sibling(1, "vote")}};
  EXPECT_FALSE(describe_silence(on_node_a(0, 2, 2), waiting_in(Stage::vote), view).names_culprit);
}

TEST(Silence, SeesThatARankIsStillAnotherProgram) {
  const LocalView view{100, {wrapper(1), sibling(0, "mpi_init")}, {}};
  const SilenceReport report = describe_silence(on_node_a(0, 2, 2), waiting_in(Stage::mpi_init), view);
  EXPECT_TRUE(report.names_culprit);
  EXPECT_TRUE(holds(report.text, "rank 1 (pid 51, node-a) is still 'sh'")) << report.text;
}

TEST(Silence, LooksAtTheToolBehindItsWrapper) {
  const LocalView view{100, {wrapper(0), wrapper(1), sibling(0, "mpi_init"), sibling(1, "mpi_init")}, {}};
  EXPECT_FALSE(describe_silence(on_node_a(0, 2, 2), waiting_in(Stage::mpi_init), view).names_culprit);
}

TEST(Silence, NamesTheRankThatIsNotWhereTheOthersAre) {
  const LocalView earlier{100, {sibling(0, "comm_init"), sibling(1, "device"), sibling(2, "comm_init")}, {}};
  const SilenceReport report = describe_silence(on_node_a(0, 3, 3), waiting_in(Stage::communicator), earlier);
  EXPECT_TRUE(report.names_culprit);
  EXPECT_TRUE(holds(report.text, std::string{"rank 1 (pid 101, node-a) is elsewhere: "} + describe(Stage::open_device)))
      << report.text;
  EXPECT_FALSE(holds(report.text, "rank 2"));
  // The steps of the sweep are repeated, so there the odd one out counts, not the order.
  const LocalView repeated{100, {sibling(0, "warm_up"), sibling(1, "data_check"), sibling(2, "warm_up")}, {}};
  EXPECT_TRUE(
      holds(describe_silence(on_node_a(0, 3, 3), waiting_in(Stage::warm_up), repeated).text, "rank 1 (pid 101"));
  const LocalView even{100, {sibling(0, "warm_up"), sibling(1, "data_check")}, {}};
  EXPECT_FALSE(describe_silence(on_node_a(0, 2, 2), waiting_in(Stage::warm_up), even).names_culprit);
}

TEST(Silence, SaysThatNobodyHereIsToBlame) {
  const LocalView view{100, {sibling(0, "vote"), sibling(1, "vote")}, {}};
  const SilenceReport alone = describe_silence(on_node_a(0, 2, 2), waiting_in(Stage::vote), view);
  EXPECT_FALSE(alone.names_culprit);
  EXPECT_TRUE(holds(alone.text, "all 2 ranks wait there")) << alone.text;
  const SilenceReport several = describe_silence(on_node_a(0, 2, 6), waiting_in(Stage::vote), view);
  EXPECT_FALSE(several.names_culprit);
  EXPECT_TRUE(holds(several.text, "another host")) << several.text;
  EXPECT_TRUE(holds(several.text, "4 of 6 ranks run on other hosts")) << several.text;
}

TEST(Silence, NamesLocalRanksWhereOtherHostsTakePart) {
  Sibling self = sibling(4, "vote");
  self.local_rank = 0;
  const LocalView view{104, {self}, {}};
  const SilenceReport report = describe_silence(on_node_a(4, 2, 8), waiting_in(Stage::vote), view);
  EXPECT_TRUE(holds(report.text, "local rank 1 (node-a) never started")) << report.text;
}

TEST(Silence, AccusesNobodyWhenProcShowsNothing) {
  const SilenceReport report = describe_silence(on_node_a(0, 2, 2), waiting_in(Stage::vote), {100, {}, {}});
  EXPECT_FALSE(report.names_culprit);
  EXPECT_TRUE(holds(report.text, "can't be seen")) << report.text;
}

TEST(Silence, ListsOnlySomeOfMany) {
  const LocalView view{100, {sibling(0, "mpi_init")}, {}};
  const std::string text = describe_silence(on_node_a(0, 64, 64), waiting_in(Stage::mpi_init), view).text;
  EXPECT_TRUE(holds(text, "rank 8 (node-a)"));
  EXPECT_FALSE(holds(text, "rank 9 (node-a)"));
  EXPECT_TRUE(holds(text, "and 55 more")) << text;
}

TEST(Losses, AreOnlyTheGoneAndTheStopped) {
  const Whoami whoami = on_node_a(0, 4, 4);
  const LocalView fine{100, {sibling(0, "timed_loop"), sibling(1, "device"), wrapper(2)}, {}};
  EXPECT_FALSE(describe_losses(whoami, fine).names_culprit);
  EXPECT_EQ(describe_losses(whoami, fine).text, "");
  const LocalView lost{
      100, {sibling(0, "timed_loop"), sibling(3, "vote", 'T')}, {sibling(2, "vote", 'S', StageMark::waiting)}};
  const SilenceReport report = describe_losses(whoami, lost);
  EXPECT_TRUE(report.names_culprit);
  EXPECT_TRUE(holds(report.text, "rank 2 (pid 102, node-a) is gone")) << report.text;
  EXPECT_TRUE(holds(report.text, "rank 3 (pid 103, node-a) is stopped")) << report.text;
}

/// Who of the ranks 0, 1, ... speaks; each has the same view.
std::vector<int> speakers(const std::vector<Sibling>& now, int local_size, int announced_size,
                          bool last_chance = false) {
  std::vector<int> speaking;
  for (const Sibling& one : now) {
    if (one.state != 'T' &&
        is_speaker(on_node_a(*one.rank, local_size, announced_size), {one.pid, now, {}}, last_chance)) {
      speaking.push_back(*one.rank);
    }
  }
  return speaking;
}

TEST(Speaker, IsTheLowestThatSeesACulprit) {
  EXPECT_EQ(speakers({sibling(0, "vote", 'T'), sibling(1, "vote"), sibling(2, "vote")}, 3, 3), (std::vector<int>{1}));
  EXPECT_EQ(speakers({sibling(0, "vote"), sibling(1, "vote")}, 3, 3), (std::vector<int>{0}));  // rank 2 never started
}

TEST(Speaker, IsRankZeroWhenNobodyHereIsToBlame) {
  EXPECT_EQ(speakers({sibling(0, "vote"), sibling(1, "vote")}, 2, 4), (std::vector<int>{0}));
  std::vector<Sibling> second_host{sibling(2, "vote"), sibling(3, "vote")};
  second_host[0].local_rank = 0;
  second_host[1].local_rank = 1;
  EXPECT_EQ(speakers(second_host, 2, 4), (std::vector<int>{}));
  EXPECT_EQ(speakers(second_host, 2, 4, true), (std::vector<int>{2}));
}

TEST(Speaker, IsNobodyElseOnceOneHasSpoken) {
  const std::vector<Sibling> now{sibling(0, "vote"), sibling(1, "vote", 'S', StageMark::spoken),
                                 sibling(2, "vote", 'T')};
  EXPECT_FALSE(is_speaker(on_node_a(0, 3, 3), {100, now, {}}, false));
  EXPECT_FALSE(is_speaker(on_node_a(0, 3, 3), {100, now, {}}, true));
}

TEST(Speaker, DoesNotWaitForOneWhoseDeadlineHasNotPassed) {
  const std::vector<Sibling> now{sibling(0, "vote", 'S', StageMark::waiting), sibling(1, "vote"),
                                 sibling(2, "vote", 'T')};
  EXPECT_TRUE(is_speaker(on_node_a(1, 3, 3), {101, now, {}}, false));
}

TEST(Speaker, TakesOneThatFiredAndLeftForOneThatHasSpoken) {
  const LocalView left{101, {sibling(1, "vote")}, {sibling(0, "vote"), sibling(1, "vote")}};
  EXPECT_FALSE(is_speaker(on_node_a(1, 2, 2), left, true));
  const LocalView killed{101, {sibling(1, "vote")}, {sibling(0, "vote", 'S', StageMark::waiting), sibling(1, "vote")}};
  EXPECT_TRUE(is_speaker(on_node_a(1, 2, 2), killed, true));
}

TEST(Speaker, IsAProcessThatIsAlone) {
  const Whoami by_hand{"bench", "node-a", "", 1, 1, -1};
  EXPECT_TRUE(is_speaker(by_hand, {100, {}, {}}, false));
}

}  // namespace
}  // namespace shakedown
