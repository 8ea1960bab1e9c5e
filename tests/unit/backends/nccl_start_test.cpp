// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/nccl_start.h"

#include <gtest/gtest.h>

#include <array>
#include <future>
#include <memory>

#include "backends/cuda/in_time.h"
#include "shakedown/base/error.h"
#include "unit/backends/thread_ranks.h"

namespace shakedown {
namespace {

constexpr int ranks = 3;

/// How the start went on one rank.
struct Outcome {
  std::string joined_with;
  std::string error;
  ExitCode code{ExitCode::ok};
  double limit_after{};
};

/// What each rank's library does with the id.
using Join = std::function<void(int rank, const std::string& id)>;

std::array<Outcome, ranks> start(Seconds limit, const std::function<std::string()>& make_id, const Join& join) {
  std::array<Outcome, ranks> outcomes;
  testing::run_ranks(ranks, [&](Session& session) {
    Outcome& mine = outcomes[static_cast<std::size_t>(session.rank())];
    StageBoard board{limit};
    const auto seen = std::make_shared<std::string>();
    try {
      start_together(session, board, "rank " + std::to_string(session.rank()),
                     {make_id, [join, seen, rank = session.rank()](const std::string& id) {
                        join(rank, id);
                        *seen = id;
                      }});
      mine.joined_with = *seen;
    } catch (const Error& error) {
      mine.error = error.what();
      mine.code = error.exit_code();
    }
    mine.limit_after = board.view().limit.count();
  });
  return outcomes;
}

const auto give_id = [] { return std::string("the id"); };

TEST(StartTogether, EveryRankJoinsWithRankZerosId) {
  for (const Outcome& outcome : start(Seconds{60}, give_id, [](int, const std::string&) {})) {
    EXPECT_EQ(outcome.joined_with, "the id");
    EXPECT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.limit_after, 60.0);
  }
}

TEST(StartTogether, AFailureOfOneRankIsThrownByAll) {
  const auto join = [](int rank, const std::string&) {
    if (rank == 1) throw Error("no network interface");
  };
  for (const Outcome& outcome : start(Seconds{60}, give_id, join)) {
    EXPECT_EQ(outcome.error, "rank 1: no network interface");
    EXPECT_EQ(outcome.code, ExitCode::failed);
  }
}

TEST(StartTogether, WithoutAnIdNobodyJoins) {
  const auto fail = []() -> std::string { throw Error("no id"); };
  const auto join = [](int, const std::string&) { ADD_FAILURE() << "joined without an id"; };
  for (const Outcome& outcome : start(Seconds{60}, fail, join)) EXPECT_EQ(outcome.error, "rank 0: no id");
}

TEST(StartTogether, AJoinThatHangsEndsAtTheLimitOnEveryRank) {
  std::promise<void> never;
  const std::shared_future<void> blocked = never.get_future().share();
  const auto outcomes = start(Seconds{0.05}, give_id, [blocked](int rank, const std::string&) {
    if (rank == 2) blocked.wait();
  });
  never.set_value();
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.code, ExitCode::deadline);
    EXPECT_EQ(outcome.error.rfind("rank 2: ", 0), 0u) << outcome.error;
    EXPECT_NE(outcome.error.find("NCCL_SOCKET_IFNAME"), std::string::npos) << outcome.error;
    EXPECT_EQ(outcome.limit_after, 0.05);
  }
}

TEST(StartTogether, AReasonCountsMoreThanTheSilenceItCaused) {
  std::promise<void> never;
  const std::shared_future<void> blocked = never.get_future().share();
  const auto outcomes = start(Seconds{0.05}, give_id, [blocked](int rank, const std::string&) {
    if (rank == 2) throw Error("out of memory");
    blocked.wait();
  });
  never.set_value();
  for (const Outcome& outcome : outcomes) {
    EXPECT_EQ(outcome.error, "rank 2: out of memory");
    EXPECT_EQ(outcome.code, ExitCode::failed);
  }
}

TEST(EndsInTime, WaitsForEverWithoutALimitAndPassesErrorsOn) {
  bool done = false;
  EXPECT_TRUE(ends_in_time(Seconds{0}, [&] { done = true; }));
  EXPECT_TRUE(done);
  EXPECT_TRUE(ends_in_time(Seconds{1e300}, [] {}));
  EXPECT_THROW(ends_in_time(Seconds{60}, [] { throw UsageError("from the thread"); }), UsageError);
}

}  // namespace
}  // namespace shakedown
