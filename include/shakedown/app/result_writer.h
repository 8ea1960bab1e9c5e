// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

#include "shakedown/app/output_file.h"
#include "shakedown/base/units.h"

namespace shakedown {

/// How a run ended, as far as its report must tell.
struct Ending {
  bool complete{false};
  std::string reason;  ///< why it is not complete, for people
  Seconds duration{};
};

/// A report that no longer changes, and its renderers. Rendering may happen in any thread.
class Snapshot {
 public:
  virtual ~Snapshot() = default;
  /// The part that is printed while the run goes on; a later snapshot's table starts with this one's.
  [[nodiscard]] virtual std::string table() const = 0;
  /// The whole text; starts with table().
  [[nodiscard]] virtual std::string text(const Ending& ending) const = 0;
  [[nodiscard]] virtual std::string json(const Ending& ending) const = 0;
};

/// Where results go: stdout and the files of the command line. Nothing measured is lost: each published snapshot is on
/// disk, and the last one is what a signal, a deadline or an error writes. Takes no lock, so that the signal thread may
/// finish() at any instant.
class ResultWriter {
 public:
  struct Targets {
    int stdout_fd{-1};           ///< -1 on ranks that don't speak: nothing is written anywhere
    bool json_on_stdout{false};  ///< then stdout holds JSON alone
    std::unique_ptr<OutputFile> json;
    std::unique_ptr<OutputFile> text;
  };

  explicit ResultWriter(Targets targets) : targets_(std::move(targets)) {}

  /// Keeps the snapshot as the newest, prints what its table has more than the last one's, and replaces the files,
  /// unless writing them takes more than a twentieth of the time. A reader of stdout that is slow is left behind and
  /// gets the rest later.
  void publish(const std::shared_ptr<const Snapshot>& snapshot, Seconds so_far);

  /// Writes the newest snapshot everywhere, once: a later call waits (a moment) for the first and gives its answer.
  /// False when something could not be written; error() tells what.
  bool finish(const Ending& ending, Seconds patience = Seconds{60});

  [[nodiscard]] std::string error() const;

 private:
  bool print_rest(std::string_view text, Seconds patience);
  void write_files_now_and_then(const Snapshot& snapshot, const Ending& ending);
  void write_files(const Snapshot& snapshot, const Ending& ending, bool last);

  Targets targets_;
  std::atomic<std::shared_ptr<const Snapshot>> newest_;
  std::atomic<std::size_t> printed_{0};
  std::atomic<bool> printing_{false};
  std::atomic<bool> finishing_{false};
  std::atomic<bool> finished_{false};
  std::atomic<int> stdout_errno_{0};
  std::chrono::steady_clock::time_point next_files_{};  ///< of the measuring thread alone
};

}  // namespace shakedown
