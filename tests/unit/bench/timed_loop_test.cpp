// SPDX-License-Identifier: Apache-2.0
#include "bench/timed_loop.h"

#include <gtest/gtest.h>

#include <string>

#include "shakedown/backends/module.h"
#include "support/scripted_device.h"

namespace shakedown {
namespace {

/// One rank, whose calls leave a letter each.
struct Loop {
  explicit Loop(std::vector<double> times) : device(*memory, std::move(times)) {}

  TimedCall timed() {
    return {.session = *session,
            .device = device,
            .board = board,
            .call = [this] { order += 'c'; },
            .poll = {},
            .before_call = [this] { order += 'b'; }};
  }

  std::unique_ptr<Session> session{make_single_session()};
  std::unique_ptr<Device> memory{make_cpu_device(1)};
  ScriptedDevice device;
  StageBoard board{Seconds{60}};
  std::string order;
};

TEST(TimedLoop, WarmUpRunsEachCallOnceAndTimesIt) {
  Loop loop({3e-3, 1e-3});
  EXPECT_EQ(warm_up(loop.timed(), 2), (std::vector<double>{3e-3, 1e-3}));
  EXPECT_EQ(loop.order, "bcbc");
}

TEST(TimedLoop, PipelinedSamplesAreBatchesInSecondsACall) {
  Loop loop({8e-6, 4e-6});
  EXPECT_EQ(take_samples(loop.timed(), Timing::pipelined, 2, 4), (std::vector<double>{2e-6, 1e-6}));
  EXPECT_EQ(loop.order, "bcbcbcbcbcbcbcbc");
}

TEST(TimedLoop, EachSampleIsABeatSoThatALongRowIsNoSilence) {
  Loop loop({1.0});
  const auto before = loop.board.view().steps;
  take_samples(loop.timed(), Timing::pipelined, 10, 1);
  EXPECT_GE(loop.board.view().steps - before, 10u);
}

TEST(TimedLoop, BatchesMakeASampleLongEnoughForTheClock) {
  EXPECT_EQ(calls_per_sample(Timing::pipelined, {1e-3}, true), 1u);
  EXPECT_EQ(calls_per_sample(Timing::pipelined, {10e-6, 8e-6}, true), 63u);
  EXPECT_EQ(calls_per_sample(Timing::graph, {8e-6}, true), 63u);
  EXPECT_EQ(calls_per_sample(Timing::pipelined, {3e-6}, false), 4u);
  EXPECT_EQ(calls_per_sample(Timing::pipelined, {0}, true), 100u);
}

TEST(TimedLoop, BlockingAndUnknownCallsAreNeverBatched) {
  EXPECT_EQ(calls_per_sample(Timing::blocking, {1e-7}, true), 1u);
  EXPECT_EQ(calls_per_sample(Timing::pipelined, {}, true), 1u);
}

}  // namespace
}  // namespace shakedown
