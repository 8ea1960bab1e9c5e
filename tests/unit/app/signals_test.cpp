// SPDX-License-Identifier: Apache-2.0
#include "shakedown/app/signals.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <string>

#include "shakedown/app/stream_out.h"
#include "support/child.h"

namespace shakedown {
namespace {

using testing::ForkedChild;

void say(const std::string& text) { write_all(STDOUT_FILENO, text); }

/// A process that would run for a minute, unless a signal ends it.
int run_until_stopped(std::function<void(StopSignal)> on_stop) {
  block_stop_signals();
  const SignalThread signals{std::move(on_stop)};
  say("ready\n");
  ::sleep(60);
  return 77;
}

class StopSignals : public ::testing::TestWithParam<int> {};

TEST_P(StopSignals, EndTheProcessWithLastWordsAndTheirStatus) {
  ForkedChild child{[] {
    return run_until_stopped([](StopSignal signal) {
      say("stopped by " + std::to_string(signal.number) + " of " + std::to_string(signal.sender_pid));
    });
  }};
  ASSERT_TRUE(child.wait_for("ready"));
  child.signal(GetParam());
  EXPECT_NE(child.output().find("stopped by " + std::to_string(GetParam()) + " of " + std::to_string(::getpid())),
            std::string::npos);
  EXPECT_EQ(child.status(), 128 + GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, StopSignals, ::testing::Values(SIGINT, SIGTERM, SIGHUP));

TEST(StopSignal, EndsTheProcessThoughTheLastWordsHang) {
  ForkedChild child{[] {
    return run_until_stopped([](StopSignal) {
      say("hanging\n");
      ::sleep(60);
    });
  }};
  ASSERT_TRUE(child.wait_for("ready"));
  const auto start = std::chrono::steady_clock::now();
  child.signal(SIGTERM);
  EXPECT_NE(child.output().find("hanging"), std::string::npos);
  EXPECT_EQ(child.status(), 128 + SIGTERM);
  EXPECT_LT(std::chrono::steady_clock::now() - start,
            std::chrono::seconds{30});  // it left by itself, not after the minute
}

TEST(StopSignal, EndsTheProcessThoughTheLastWordsThrow) {
  ForkedChild child{[] { return run_until_stopped([](StopSignal) { throw 1; }); }};
  ASSERT_TRUE(child.wait_for("ready"));
  child.signal(SIGINT);
  EXPECT_EQ(child.status(), 128 + SIGINT);
}

TEST(StopSignal, ThatWasIgnoredAtStartStaysIgnored) {
  ForkedChild child{[] {
    std::signal(SIGHUP, SIG_IGN);  // as nohup does
    return run_until_stopped([](StopSignal signal) { say("stopped by " + std::to_string(signal.number)); });
  }};
  ASSERT_TRUE(child.wait_for("ready"));
  child.signal(SIGHUP);
  child.signal(SIGTERM);
  EXPECT_NE(child.output().find("stopped by 15"), std::string::npos);
  EXPECT_EQ(child.status(), 128 + SIGTERM);
}

TEST(SignalThread, LeavesWithItsOwner) {
  ForkedChild child{[] {
    block_stop_signals();
    {
      const SignalThread signals{[](StopSignal) {}};
    }
    return 7;
  }};
  EXPECT_EQ(child.status(), 7);
}

TEST(UnblockStopSignals, LetsThemEndTheProcessAgain) {
  ForkedChild child{[] {
    block_stop_signals();
    ::raise(SIGTERM);
    say("alive\n");
    unblock_stop_signals();
    return 7;
  }};
  EXPECT_EQ(child.output(), "alive\n");
  EXPECT_EQ(child.status(), 128 + SIGTERM);
}

}  // namespace
}  // namespace shakedown
