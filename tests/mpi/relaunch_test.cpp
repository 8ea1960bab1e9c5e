// SPDX-License-Identifier: Apache-2.0
#include "shakedown/app/relaunch.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "shakedown/app/signals.h"
#include "shakedown/base/env.h"
#include "shakedown/base/error.h"
#include "support/child.h"
#include "support/temporary_directory.h"

namespace shakedown {
namespace {

using testing::ForkedChild;
using testing::read_file;
using testing::TemporaryDirectory;
using testing::write_file;

/// A plan for ranks that run a shell script.
RelaunchPlan plan_of(int ranks, const std::string& script) {
  RelaunchPlan plan;
  plan.ranks = ranks;
  plan.command = {"/bin/sh", "-c", script};
  plan.is_root = ::geteuid() == 0;
  plan.cores = static_cast<int>(std::thread::hardware_concurrency());
  return plan;
}

/// What a tool does that was started by hand, less the tool.
int relaunch(const RelaunchPlan& plan, const std::vector<std::string>& names = {"PATH"}) {
  block_stop_signals();
  return run_and_wait(mpirun_command(plan, find_open_mpi_launcher(process_environment()), names));
}

std::ptrdiff_t count(const std::string& text, const std::string& part) {
  std::ptrdiff_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) ++found;
  return found;
}

bool holds(const std::string& text, const std::string& part) { return count(text, part) > 0; }

TEST(Relaunch, SeesTheEndOfMpirunThoughALibrarysThreadTakesItsSignal) {
  ForkedChild child{[] {
    // Threads that block no signal and run when the child ends; which thread the kernel gives SIGCHLD to is a race.
    for (int i = 0; i < 4; ++i) {
      std::thread([] {
        for (;;) std::this_thread::yield();
      }).detach();
    }
    for (int i = 0; i < 100; ++i) {
      if (run_and_wait({"/bin/sh", "-c", "exit 3"}) != 3) return 1;
    }
    return 3;
  }};
  EXPECT_EQ(child.status(), 3);
}

TEST(Relaunch, StartsMoreRanksThanCores) {
  ForkedChild child{[] { return relaunch(plan_of(5, "echo rank $OMPI_COMM_WORLD_RANK of $OMPI_COMM_WORLD_SIZE")); }};
  const std::string output = child.output();
  for (const char* rank : {"rank 0 of 5", "rank 1 of 5", "rank 2 of 5", "rank 3 of 5", "rank 4 of 5"}) {
    EXPECT_EQ(count(output, rank), 1) << output;
  }
  EXPECT_EQ(child.status(), 0);
}

TEST(Relaunch, StartsAllRanksOnAHostOfTheList) {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  for (const std::string& list : {std::string{host.data()}, std::string{host.data()} + ":4"}) {
    ForkedChild child{[&] {
      RelaunchPlan plan = plan_of(4, "echo rank $OMPI_COMM_WORLD_LOCAL_RANK");
      plan.hosts = list;
      return relaunch(plan);
    }};
    EXPECT_EQ(count(child.output(), "rank "), 4) << list;
    EXPECT_EQ(child.status(), 0) << list;
  }
}

TEST(Relaunch, PutsRanksOnNodesByNumber) {
  ForkedChild child{[] {
    RelaunchPlan plan = plan_of(4, "echo rank $OMPI_COMM_WORLD_LOCAL_RANK");
    plan.ranks_per_node = 4;
    plan.with_gpus = true;
    return relaunch(plan);
  }};
  EXPECT_EQ(count(child.output(), "rank "), 4);
  EXPECT_EQ(child.status(), 0);
}

TEST(Relaunch, HandsVariablesOn) {
  ForkedChild child{[] {
    ::setenv("NCCL_FOR_TEST", "a b;c", 1);
    RelaunchPlan plan = plan_of(1, "echo \"<$SHAKEDOWN_TERMINAL> <$NCCL_FOR_TEST>\"");
    plan.terminals = "1:ic:80/2::120";
    return relaunch(plan, {"NCCL_FOR_TEST", "PATH"});
  }};
  const std::string output = child.output();
  EXPECT_TRUE(holds(output, "<1:ic:80/2::120> <a b;c>")) << output;
}

TEST(Relaunch, ReturnsTheRanksStatus) {
  for (const int status : {2, 3, 5}) {
    ForkedChild child{[=] { return relaunch(plan_of(2, "exit " + std::to_string(status))); }};
    EXPECT_EQ(child.status(), status);
  }
}

TEST(Relaunch, FailsWithAReasonWhenARankIsKilled) {
  ForkedChild child{[] { return relaunch(plan_of(2, "test $OMPI_COMM_WORLD_RANK = 0 || kill -KILL $$; sleep 60")); }};
  EXPECT_TRUE(holds(child.output(), "a rank was ended by signal 9")) << child.output();
  EXPECT_EQ(child.status(), 1);
}

TEST(Relaunch, FailsWhenTheProgramIsNotThere) {
  ForkedChild child{[] {
    RelaunchPlan plan = plan_of(2, "");
    plan.command = {"/nonexistent/tool"};
    return relaunch(plan);
  }};
  EXPECT_TRUE(holds(child.output(), "could not start") || holds(child.output(), "signal")) << child.output();
  EXPECT_EQ(child.status(), 1);
}

TEST(Relaunch, ThrowsWhenThereIsNoSuchLauncher) {
  ForkedChild child{[] {
    try {
      run_and_wait({"/nonexistent/mpirun"});
    } catch (const Error& error) {
      return holds(error.what(), "/nonexistent/mpirun") ? 0 : 1;
    }
    return 2;
  }};
  EXPECT_EQ(child.status(), 0);
}

// Ranks say their last words on SIGTERM; a second signal right after the first would make mpirun kill them instead.
const char* const rank_with_last_words =
    "trap 'echo last words; exit 143' TERM; echo up; i=0; while [ $i -lt 600 ]; do sleep 0.1; i=$((i+1)); done";

class StoppedRelaunch : public ::testing::TestWithParam<int> {};

TEST_P(StoppedRelaunch, LetsTheRanksSpeakAndReturnsTheSignal) {
  ForkedChild child{[] { return relaunch(plan_of(2, rank_with_last_words)); }};
  ASSERT_TRUE(child.wait_for("up"));
  child.signal(GetParam());
  std::this_thread::sleep_for(std::chrono::milliseconds{200});  // a person's second Ctrl-C
  child.signal(GetParam());
  EXPECT_TRUE(holds(child.output(), "last words")) << child.output();
  EXPECT_EQ(child.status(), 128 + GetParam());
}

INSTANTIATE_TEST_SUITE_P(Signals, StoppedRelaunch, ::testing::Values(SIGINT, SIGTERM, SIGHUP));

TEST(Relaunch, LeavesNoRankBehindWhenItIsKilled) {
  const TemporaryDirectory directory;
  const std::string pids = directory / "pids";
  ForkedChild child{[&] { return relaunch(plan_of(2, "echo $$ >> " + pids + "; echo up; exec sleep 60")); }};
  ASSERT_TRUE(child.wait_for("up\nup") || child.wait_for("up\r\nup"));
  child.signal(SIGKILL);
  EXPECT_EQ(child.status(), 128 + SIGKILL);
  int left = 2;
  for (int i = 0; i < 100 && left > 0; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds{100});
    std::istringstream list{read_file(pids)};
    left = 0;
    for (int pid{}; list >> pid;) left += ::kill(pid, 0) == 0 ? 1 : 0;
  }
  EXPECT_EQ(left, 0);
}

TEST(Relaunch, SaysThatStdoutIsFullAndFinishesAllTheSame) {
  if (::access("/dev/full", W_OK) != 0) GTEST_SKIP() << "no /dev/full here";
  const TemporaryDirectory directory;
  ForkedChild child{[&] {
    ::dup2(::open("/dev/full", O_WRONLY), STDOUT_FILENO);
    return relaunch(plan_of(1, "echo result; sleep 0.3; echo more; touch " + (directory / "finished")));
  }};
  EXPECT_TRUE(holds(child.output(), "cannot write to standard output: No space left on device")) << child.output();
  EXPECT_EQ(child.status(), 1);
  EXPECT_TRUE(std::filesystem::exists(directory / "finished"));
}

TEST(Relaunch, IsQuietWhenTheReaderLeaves) {
  ForkedChild child{[] {
    std::array<int, 2> pipe{};
    if (::pipe(pipe.data()) != 0) return 9;
    ::close(pipe[0]);
    ::dup2(pipe[1], STDOUT_FILENO);
    return relaunch(plan_of(1, "echo result")) + 10 * relaunch(plan_of(1, "echo result; exit 3"));
  }};
  EXPECT_EQ(child.output().find("write"), std::string::npos) << "no message for a reader that has seen enough";
  EXPECT_EQ(child.status(), 30) << "and its leaving does not change the verdict";
}

TEST(Relaunch, TakesNothingFromStdin) {
  const TemporaryDirectory directory;
  write_file(directory / "in", "host-b\n");
  ForkedChild child{[&] {
    ::dup2(::open((directory / "in").c_str(), O_RDONLY), STDIN_FILENO);
    const int status = relaunch(plan_of(1, "cat"));
    return status != 0 ? status : static_cast<int>(::lseek(STDIN_FILENO, 0, SEEK_CUR));
  }};
  EXPECT_EQ(child.output(), "");
  EXPECT_EQ(child.status(), 0);
}

TEST(Relaunch, PassesALongOutputWhole) {
  ForkedChild child{[] { return relaunch(plan_of(1, "seq 1 50000")); }};
  const std::string output = child.output();
  EXPECT_TRUE(holds(output, "\n49999\n50000\n") || holds(output, "\n49999\r\n50000\r\n"));
  EXPECT_EQ(std::count(output.begin(), output.end(), '\n'), 50000);
  EXPECT_EQ(child.status(), 0);
}

}  // namespace
}  // namespace shakedown
