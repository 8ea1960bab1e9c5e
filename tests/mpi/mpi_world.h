// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <memory>

#include "shakedown/backends/module.h"

namespace shakedown {

/// The one MPI session of this process, opened by main before the tests run; MPI starts only once.
struct MpiWorld {
  std::shared_ptr<MpiModule> module;
  StageBoard board{Seconds{0}};
  std::unique_ptr<Session> session;
};

MpiWorld& mpi_world();

/// Hands every call on, and gives nothing back: what a suite that opens and closes sessions gets of the one there is.
class BorrowedSession final : public Session {
 public:
  explicit BorrowedSession(Session& session) : session_(session) {}
  [[nodiscard]] int rank() const override { return session_.rank(); }
  [[nodiscard]] int size() const override { return session_.size(); }
  [[nodiscard]] int local_rank() const override { return session_.local_rank(); }
  [[nodiscard]] int local_size() const override { return session_.local_size(); }
  void barrier() override { session_.barrier(); }
  std::string broadcast(const std::string& text) override { return session_.broadcast(text); }
  std::vector<std::string> all_gather(const std::string& text) override { return session_.all_gather(text); }
  std::vector<double> all_gather(std::span<const double> values) override { return session_.all_gather(values); }
  std::vector<double> max(std::span<const double> values) override { return session_.max(values); }
  bool any(bool mine) override { return session_.any(mine); }
  void close() override { session_.barrier(); }
  [[noreturn]] void abort(ExitCode code) override {
    session_.abort(code);
    std::abort();  // not reached; g++ 12 forgets that the virtual call does not return
  }

 private:
  Session& session_;
};

}  // namespace shakedown
