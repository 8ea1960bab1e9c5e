// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <thread>

#include "shakedown/base/exit_code.h"

namespace shakedown {

/// Blocks SIGINT, SIGTERM and SIGHUP in this thread and all it starts later; call it before any library starts threads. A SIGHUP or
/// SIGINT that was ignored at start (nohup, a background job) stays ignored.
void block_stop_signals();

/// Undoes block_stop_signals, in a child before exec.
void unblock_stop_signals();

/// Which signal came, and from whom.
struct StopSignal {
  int number{};
  int sender_pid{};  ///< 0 when a terminal or the kernel sent it
};

/// One thread that takes the stop signals. `on_stop` runs in it (it may allocate and write, but makes no MPI, NCCL or CUDA call and
/// takes no lock that the measuring thread may hold); the process then leaves by _exit with 128 + signal, within 0.9 s even when
/// `on_stop` hangs.
class SignalThread {
 public:
  explicit SignalThread(std::function<void(StopSignal)> on_stop);
  SignalThread(const SignalThread&) = delete;
  SignalThread& operator=(const SignalThread&) = delete;
  ~SignalThread();

 private:
  std::thread thread_;
};

}  // namespace shakedown
