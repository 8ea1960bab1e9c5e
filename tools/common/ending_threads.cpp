// SPDX-License-Identifier: Apache-2.0
#include "ending_threads.h"

namespace shakedown {

EndingThreads::EndingThreads(ProcessState& process, const Whoami& whoami)
    : state(process),
      watchdog(process.board, whoami, [&process](const SilenceReport& report) { stop_on_deadline(process, report); }),
      signals([&process](StopSignal signal) { stop_on_signal(process, signal); }) {
  state.watchdog = &watchdog;
}

EndingThreads::~EndingThreads() { state.watchdog = nullptr; }

}  // namespace shakedown
