// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstdint>

#include "shakedown/base/units.h"

namespace shakedown {

/// Steps that a rank can be silent in; the short code of each is visible from outside as a thread's name.
enum class Stage : std::uint8_t {
  starting,
  mpi_init,
  gather_facts,
  open_device,
  allocate,
  fill,
  communicator,
  warm_up,
  timed_loop,
  data_check,
  vote,
  closing,
  done,
};

/// At most 10 characters, e.g. "mpi_init"; the name that reports use.
const char* code_of(Stage stage);
/// What a person is told, e.g. "inside MPI_Init".
const char* describe(Stage stage);

/// Where the measuring thread says what it waits in and that it still moves, and where a watchdog reads it. Lock-free.
class StageBoard {
 public:
  struct View {
    Stage stage{Stage::starting};
    std::uint64_t steps{};  ///< beats since the process started
    Seconds limit{};        ///< the longest silence allowed now; zero for none
  };

  explicit StageBoard(Seconds limit) : limit_(limit.count()) {}

  /// A new step begins; the silence starts anew.
  void enter(Stage stage) {
    stage_.store(stage, std::memory_order_relaxed);
    beat();
  }
  /// Something was finished; cheap enough for every call.
  void beat() { steps_.fetch_add(1, std::memory_order_release); }
  /// Raises the longest silence, and never lowers it; no effect when there is no limit.
  void allow_at_least(Seconds limit) {
    if (limit_.load() > 0 && limit.count() > limit_.load()) limit_.store(limit.count());
  }
  void set_limit(Seconds limit) { limit_.store(limit.count()); }
  [[nodiscard]] View view() const {
    const auto steps = steps_.load(std::memory_order_acquire);
    return {stage_.load(std::memory_order_relaxed), steps, Seconds{limit_.load()}};
  }

 private:
  std::atomic<Stage> stage_{Stage::starting};
  std::atomic<std::uint64_t> steps_{0};
  std::atomic<double> limit_;
};

}  // namespace shakedown
