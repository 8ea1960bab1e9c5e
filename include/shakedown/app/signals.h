// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <csignal>
#include <functional>
#include <thread>

namespace shakedown {

/// Blocks SIGINT, SIGTERM and SIGHUP in this thread and all it starts later; call it before any library starts threads.
/// A SIGHUP or SIGINT that was ignored at start (nohup, a background job) stays ignored.
void block_stop_signals();

/// Undoes block_stop_signals, in a child before exec.
void unblock_stop_signals();

/// The signals that block_stop_signals blocks: of SIGINT, SIGTERM and SIGHUP those that are not ignored.
sigset_t stop_signals();

/// Which signal came, and from whom.
struct StopSignal {
  int number{};
  int sender_pid{};  ///< 0 when a terminal or the kernel sent it
};

/// One thread that takes the stop signals, and sleeps until one comes. `on_stop` runs in a thread of its own (it may
/// allocate and write, but makes no MPI, NCCL or CUDA call and takes no lock that the measuring thread may hold); the
/// process then leaves by _exit with 128 + signal, within 0.9 s even when `on_stop` hangs. The destructor ends the
/// thread, unless a signal is being handled: then it doesn't return.
class SignalThread {
 public:
  explicit SignalThread(std::function<void(StopSignal)> on_stop);
  SignalThread(const SignalThread&) = delete;
  SignalThread& operator=(const SignalThread&) = delete;
  ~SignalThread();

 private:
  void take_signals();

  const std::function<void(StopSignal)> on_stop_;
  int signal_fd_{-1};
  int wake_fd_{-1};
  std::thread thread_;
};

}  // namespace shakedown
