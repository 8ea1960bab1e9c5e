// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include "shakedown/base/stage_board.h"
#include "shakedown/comm/session.h"

namespace shakedown {

/// MPI as the control plane; one in a process, since MPI starts only once.
class MpiSession final : public Session {
 public:
  explicit MpiSession(StageBoard& board);
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;
  ~MpiSession() override;

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int size() const override { return size_; }
  [[nodiscard]] int local_rank() const override { return local_rank_; }
  [[nodiscard]] int local_size() const override { return local_size_; }
  void barrier() override;
  std::string broadcast(const std::string& text) override;
  std::vector<std::string> all_gather(const std::string& text) override;
  std::vector<double> all_gather(std::span<const double> values) override;
  std::vector<double> max(std::span<const double> values) override;
  bool any(bool mine) override;
  void close() override;
  [[noreturn]] void abort(ExitCode code) override;

 private:
  StageBoard& board_;
  MPI_Comm control_{MPI_COMM_NULL};  ///< apart from the collectives that are measured
  int rank_{};
  int size_{};
  int local_rank_{};
  int local_size_{};
  bool open_{false};
};

}  // namespace shakedown
