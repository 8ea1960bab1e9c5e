// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>
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

/// A thread that ends the process with ExitCode::deadline when the board is silent for longer than its limit, also while the main
/// thread sits inside MPI or NCCL. It wears the stage as its name (hw/siblings.h), so that siblings can see where each one is.
/// One speaker writes all that is known; the others wait half a second, since the first exit ends the job.
class Watchdog {
 public:
  /// `on_deadline` publishes what was measured so far; it runs in the watchdog's thread, on every rank.
  Watchdog(const StageBoard& board, Whoami whoami, std::function<void(const SilenceReport&)> on_deadline);
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;
  ~Watchdog();

  /// Which siblings are missing or stopped, in words, seen from this process now. Used when mpirun sends SIGTERM, too.
  [[nodiscard]] SilenceReport look_around() const;

 private:
  void watch();

  const StageBoard& board_;
  const Whoami whoami_;
  const std::function<void(const SilenceReport&)> on_deadline_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

}  // namespace shakedown
