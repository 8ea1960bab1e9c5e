// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "process_state.h"
#include "shakedown/app/signals.h"
#include "shakedown/app/watchdog.h"

namespace shakedown {

/// The threads that may end a process early. They run from before any library of a vendor is opened, since a driver can
/// hang there, too.
struct EndingThreads {
  EndingThreads(ProcessState& process, const Whoami& whoami);
  EndingThreads(const EndingThreads&) = delete;
  EndingThreads& operator=(const EndingThreads&) = delete;
  ~EndingThreads();

  ProcessState& state;
  Watchdog watchdog;
  SignalThread signals;  ///< dies first: it may be asking the watchdog
};

}  // namespace shakedown
