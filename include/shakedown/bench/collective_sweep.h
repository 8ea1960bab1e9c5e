// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "shakedown/base/progress.h"
#include "shakedown/base/stage_board.h"
#include "shakedown/comm/communicator.h"
#include "shakedown/comm/session.h"
#include "shakedown/device/device.h"
#include "shakedown/model/collective_report.h"

namespace shakedown {

/// What a sweep borrows; all of it outlives the sweep.
struct SweepTools {
  Session& session;
  Device& device;
  Communicator& communicator;
  StageBoard& board;
  Progress& progress;
  /// Called on every rank before each call; a test delays a rank with it. Empty in a tool.
  std::function<void()> before_call;
};

/// Measures each payload of `report.protocol` and appends a row; `on_row` is called on every rank after each one.
/// All ranks agree on the allocation before the first payload. A wrong element marks its row and the sweep goes on.
/// Throws Error when a rank or the transport fails.
void run_collective_sweep(const SweepTools& tools, CollectiveReport& report,
                          const std::function<void(const CollectiveReport&)>& on_row);

/// Device memory that a sweep needs on one rank: a send and a receive buffer, or one in place, for the largest payload
/// or for smaller ones to rotate past `cache` (Device::cache_to_leave), whichever is more.
Bytes sweep_memory(const CollectiveProtocol& protocol, Bytes cache);

}  // namespace shakedown
