// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

namespace shakedown {

/// The clock of the core that the calling thread runs on: the kernel's cycle counter where it may be read, else the
/// time of a chain of dependent additions, one a cycle, right after the work. One thread uses it; keep it pinned.
class CycleMeter {
 public:
  /// Counts for the calling thread.
  CycleMeter();
  CycleMeter(const CycleMeter&) = delete;
  CycleMeter& operator=(const CycleMeter&) = delete;
  ~CycleMeter();

  void start();
  /// The mean clock since start(); none when neither way works, or gives what no processor has.
  std::optional<double> stop_mhz();

 private:
  /// What the kernel's counter says: cycles, and nanoseconds in which it counted.
  struct Reading {
    std::uint64_t cycles, running_ns;
  };
  [[nodiscard]] std::optional<Reading> read() const;

  int counter_{-1};
  std::optional<Reading> begin_;
};

}  // namespace shakedown
