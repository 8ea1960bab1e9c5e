// SPDX-License-Identifier: Apache-2.0
#include "shakedown/app/watchdog.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "shakedown/app/stream_out.h"
#include "support/child.h"

namespace shakedown {
namespace {

using testing::ForkedChild;

void say(const std::string& text) { write_all(STDOUT_FILENO, text); }

Whoami alone() { return {"tool", "node-a", "", 1, 1, 0}; }

TEST(Watchdog, EndsAProcessThatIsSilentWithWordsAndStatusFive) {
  ForkedChild child{[] {
    StageBoard board{Seconds{0.2}};
    board.enter(Stage::communicator);
    const Watchdog watchdog{board, alone(),
                            [](const SilenceReport& report) { say(report.text.empty() ? "nothing" : "published\n"); }};
    ::sleep(60);
    return 77;
  }};
  const std::string output = child.output();
  EXPECT_NE(output.find(std::string{"no answer for 0.2 s "} + describe(Stage::communicator)), std::string::npos)
      << output;
  EXPECT_NE(output.find("NCCL_SOCKET_IFNAME"), std::string::npos) << output;
  EXPECT_NE(output.find("published"), std::string::npos) << output;
  EXPECT_EQ(child.status(), 5);
}

TEST(Watchdog, EndsTheProcessThoughPublishingHangsOrThrows) {
  ForkedChild hanging{[] {
    StageBoard board{Seconds{0.1}};
    const Watchdog watchdog{board, alone(), [](const SilenceReport&) { ::sleep(60); }};
    ::sleep(60);
    return 77;
  }};
  ForkedChild throwing{[] {
    StageBoard board{Seconds{0.1}};
    const Watchdog watchdog{board, alone(), [](const SilenceReport&) { throw 1; }};
    ::sleep(60);
    return 77;
  }};
  EXPECT_EQ(hanging.status(), 5);
  EXPECT_EQ(throwing.status(), 5);
}

TEST(Watchdog, LeavesAProcessThatMovesAndOneWithoutALimit) {
  ForkedChild moving{[] {
    StageBoard board{Seconds{0.3}};
    const Watchdog watchdog{board, alone(), [](const SilenceReport&) {}};
    for (int i = 0; i < 12; ++i) {
      ::usleep(50'000);
      board.beat();
    }
    return 7;
  }};
  ForkedChild unlimited{[] {
    StageBoard board{Seconds{0}};
    const Watchdog watchdog{board, alone(), [](const SilenceReport&) {}};
    ::usleep(600'000);
    return 7;
  }};
  EXPECT_EQ(moving.status(), 7);
  EXPECT_EQ(unlimited.status(), 7);
}

TEST(Watchdog, DoesNotCountTimeInWhichItWasStoppedItself) {
  ForkedChild child{[] {
    sigset_t end;
    ::sigemptyset(&end);
    ::sigaddset(&end, SIGUSR1);
    ::sigprocmask(SIG_BLOCK, &end, nullptr);
    StageBoard board{Seconds{1}};
    const Watchdog watchdog{board, alone(), [](const SilenceReport&) {}};
    ::usleep(200'000);  // until its thread has begun to watch
    say("ready\n");
    int number{};
    ::sigwait(&end, &number);
    return 7;
  }};
  ASSERT_TRUE(child.wait_for("ready"));
  child.signal(SIGSTOP);
  ::usleep(1'400'000);  // longer than the limit
  child.signal(SIGCONT);
  ::usleep(400'000);
  child.signal(SIGUSR1);
  EXPECT_EQ(child.status(), 7);
}

/// A rank of a job of two, as a program of its own: /proc shows a process's environment as it was at exec.
ForkedChild start_rank(int rank, const std::string& job, const char* limit_seconds) {
  return ForkedChild{[=] {
    ::setenv("PMIX_NAMESPACE", job.c_str(), 1);
    ::setenv("PMIX_RANK", std::to_string(rank).c_str(), 1);
    ::setenv("OMPI_COMM_WORLD_SIZE", "2", 1);
    ::execl(WATCHED_RANK, "watched_rank", limit_seconds, nullptr);
    return 99;
  }};
}

TEST(Watchdog, WearsTheStageWhereSiblingsSeeIt) {
  ForkedChild rank = start_rank(0, "wears-" + std::to_string(::getpid()), "60");
  EXPECT_TRUE(rank.wait_for("up vote\n"));
}

TEST(Watchdog, NamesARealSiblingThatIsStopped) {
  const std::string job = "stopped-" + std::to_string(::getpid());
  ForkedChild one = start_rank(1, job, "60");
  ASSERT_TRUE(one.wait_for("up"));
  one.signal(SIGSTOP);
  ForkedChild zero = start_rank(0, job, "0.3");
  const std::string output = zero.output();
  EXPECT_NE(output.find("rank 1 (pid " + std::to_string(one.pid()) + ", node-a) is stopped"), std::string::npos)
      << output;
  EXPECT_EQ(zero.status(), 5);
}

TEST(Watchdog, NamesARealSiblingThatWasKilled) {
  const std::string job = "killed-" + std::to_string(::getpid());
  ForkedChild one = start_rank(1, job, "60");
  ASSERT_TRUE(one.wait_for("up"));
  ForkedChild zero = start_rank(0, job, "1");
  ASSERT_TRUE(zero.wait_for("up"));
  ::usleep(800'000);  // the first look around comes after half a second
  one.signal(SIGKILL);
  const std::string output = zero.output();
  EXPECT_NE(output.find("rank 1 (pid " + std::to_string(one.pid()) + ", node-a) is gone"), std::string::npos) << output;
}

TEST(Watchdog, LetsOnlyOneOfTheWaitingSpeakAndEachPublish) {
  const std::string job = "both-" + std::to_string(::getpid());
  ForkedChild zero = start_rank(0, job, "1");
  ForkedChild one = start_rank(1, job, "1");
  const std::string words = "no answer for 1 s";
  EXPECT_NE(zero.output().find(words), std::string::npos) << zero.output();
  EXPECT_EQ(one.output().find(words), std::string::npos) << one.output();
  EXPECT_NE(zero.output().find("published"), std::string::npos);
  EXPECT_NE(one.output().find("published"), std::string::npos);
  EXPECT_EQ(zero.status(), 5);
  EXPECT_EQ(one.status(), 5);
}

}  // namespace
}  // namespace shakedown
