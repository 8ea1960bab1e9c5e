// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "shakedown/base/exit_code.h"

namespace shakedown {

/// The control plane: what the ranks of one run agree on, outside every timed region.
///
/// The destructor never waits for another rank; close() on the good path may.
class Session {
 public:
  virtual ~Session() = default;
  [[nodiscard]] virtual int rank() const = 0;
  [[nodiscard]] virtual int size() const = 0;
  /// Among the ranks that share this machine's memory.
  [[nodiscard]] virtual int local_rank() const = 0;
  [[nodiscard]] virtual int local_size() const = 0;
  virtual void barrier() = 0;
  /// Rank 0's text, on every rank.
  virtual std::string broadcast(const std::string& text) = 0;
  /// Every rank's text in rank order, on every rank.
  virtual std::vector<std::string> all_gather(const std::string& text) = 0;
  /// `values` (as many on each rank), joined in rank order, on every rank.
  virtual std::vector<double> all_gather(std::span<const double> values) = 0;
  /// Element by element the largest over ranks, on every rank. `values` has the same length everywhere.
  virtual std::vector<double> max(std::span<const double> values) = 0;
  /// Whether it is true on any rank.
  virtual bool any(bool mine) = 0;
  /// Leaves together with all ranks; may wait.
  virtual void close() = 0;
  /// Ends the whole job with this status; does not return.
  [[noreturn]] virtual void abort(ExitCode code) = 0;
};

}  // namespace shakedown
