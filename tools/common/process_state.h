// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <string>

#include "shakedown/app/result_writer.h"
#include "shakedown/app/signals.h"
#include "shakedown/app/watchdog.h"
#include "shakedown/base/clock.h"
#include "shakedown/base/stage_board.h"

namespace shakedown {

/// What the measuring thread, the signal thread and the watchdog of one process share. main owns it; it outlives all
/// three.
struct ProcessState {
  ProcessState(Seconds timeout, bool launched, bool speaks)
      : board(timeout), under_launcher(launched), speaker(speaks) {}

  SteadyClock clock;
  Seconds started{clock.now()};
  StageBoard board;
  const bool under_launcher;
  const bool speaker;                          ///< rank 0, as the launcher says
  std::unique_ptr<ResultWriter> owned_writer;  ///< set once by the measuring thread, before `writer`
  std::atomic<ResultWriter*> writer{nullptr};
  std::atomic<Watchdog*> watchdog{nullptr};

  [[nodiscard]] Seconds elapsed() const { return clock.now() - started; }
};

/// In the signal thread: names a sibling that is gone when mpirun stopped us, and writes what was measured so far.
void stop_on_signal(ProcessState& state, StopSignal signal);

/// In the watchdog's thread, on every rank: writes what was measured so far.
void stop_on_deadline(ProcessState& state, const SilenceReport& report);

}  // namespace shakedown
