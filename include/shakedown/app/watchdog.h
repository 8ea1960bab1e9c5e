// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "shakedown/base/stage_board.h"

namespace shakedown {

/// What this process knows of itself when the watchdog must name somebody.
struct Whoami {
  std::string tool;
  std::string host;
  std::string job;        ///< PMIX_NAMESPACE; empty when started by hand
  int announced_size{1};  ///< ranks of the whole job
  int local_size{1};      ///< ranks on this host, as the launcher says
  int rank{-1};           ///< as the launcher says; -1 when unknown
};

/// What one rank can tell about a silence: what it waits in, and what /proc shows of its siblings.
struct SilenceReport {
  bool names_culprit{false};  ///< a sibling is stopped, gone, never started, or behind the others
  std::string text;           ///< lines for stderr
};

class SiblingWatch;

/// A thread that ends the process with ExitCode::deadline when the board is silent for longer than its limit, also
/// while the main thread sits inside MPI or NCCL. It wears the stage as its name (hw/siblings.h), so that siblings can
/// see where each one is.
///
/// On each host one process speaks, on stderr: the lowest of those that see a culprit; where nobody does, rank 0. The
/// others wait a moment, since the first exit ends the job, and the lowest of them speaks if nobody on the host has.
class Watchdog {
 public:
  /// `on_deadline` publishes what was measured so far; it runs in a thread of the watchdog's, on every rank, and has
  /// two seconds.
  Watchdog(const StageBoard& board, Whoami whoami, std::function<void(const SilenceReport&)> on_deadline);
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog();

  /// Which siblings are gone or stopped, in words, seen from this process now; no text when none is, and none from
  /// a process that was stopped itself: the others left while it could not see why. Used when mpirun
  /// sends SIGTERM, too, and then before anything else, since the siblings leave as well. Takes a third of a second at
  /// most.
  [[nodiscard]] SilenceReport look_around() const;

 private:
  void watch();
  void fire(const StageBoard::View& view);
  [[noreturn]] void leave(const StageBoard::View& view);
  bool pause(std::chrono::milliseconds time);

  const StageBoard& board_;
  const Whoami whoami_;
  const std::function<void(const SilenceReport&)> on_deadline_;
  const std::unique_ptr<SiblingWatch> siblings_;
  std::mutex mutex_;
  std::condition_variable stopping_;
  bool stop_{false};
  std::atomic<std::chrono::steady_clock::time_point> polled_at_;
  std::atomic<std::chrono::steady_clock::time_point>
      continued_at_{};  ///< when we ran on after we had been stopped ourselves
  std::thread thread_;
};

}  // namespace shakedown
