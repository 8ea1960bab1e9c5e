// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "shakedown/base/stage_board.h"
#include "shakedown/comm/session.h"
#include "shakedown/device/device.h"
#include "shakedown/model/collective_report.h"

namespace shakedown {

/// Bounds the queue that a row builds, and the size of a graph.
inline constexpr std::uint64_t most_calls_per_sample = 100;

/// One call of a row, and what times it.
struct TimedCall {
  Session& session;
  Device& device;
  StageBoard& board;
  std::function<void()> call;         ///< queues, or carries out, one collective
  std::function<void()> poll;         ///< throws when the transport failed; may be empty
  std::function<void()> before_call;  ///< may be empty
};

/// This rank's `warmups` single calls, timed as they come; empty for none. Seconds a call.
std::vector<double> warm_up(const TimedCall& timed, int warmups);

/// How many calls one sample holds, the same on every rank: enough that two time stamps cost less than a hundredth of
/// it. 1 in blocking timing, where a barrier stands before each call, and where no warm-up told how long a call takes.
std::uint64_t calls_per_sample(Timing timing, const std::vector<double>& warm_up_seconds, bool on_device);

/// This rank's `samples` samples, in seconds a call.
std::vector<double> take_samples(const TimedCall& timed, Timing timing, int samples, std::uint64_t batch);

}  // namespace shakedown
