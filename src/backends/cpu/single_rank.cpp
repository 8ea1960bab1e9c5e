// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "shakedown/backends/module.h"

namespace shakedown {
namespace {

/// A session where nobody else is, so that one rank needs no MPI.
class SingleSession final : public Session {
 public:
  [[nodiscard]] int rank() const override { return 0; }
  [[nodiscard]] int size() const override { return 1; }
  [[nodiscard]] int local_rank() const override { return 0; }
  [[nodiscard]] int local_size() const override { return 1; }
  void barrier() override {}
  std::string broadcast(const std::string& text) override { return text; }
  std::vector<std::string> all_gather(const std::string& text) override { return {text}; }
  std::vector<double> all_gather(std::span<const double> values) override { return {values.begin(), values.end()}; }
  std::vector<double> max(std::span<const double> values) override { return {values.begin(), values.end()}; }
  bool any(bool mine) override { return mine; }
  void close() override {}
  [[noreturn]] void abort(ExitCode code) override { std::_Exit(static_cast<int>(code)); }
};

/// The sum over one rank is a copy; in place there is nothing to do.
class SingleCommunicator final : public Communicator {
 public:
  [[nodiscard]] bool supports(DataType /*any*/) const override { return true; }
  void enqueue(const CollectiveCall& call, const void* send, void* receive) override {
    if (send != receive) std::memcpy(receive, send, call.count * size_of(call.dtype));
  }
  void poll() override {}
  void wait() override {}
  void close() override {}
  void abort() noexcept override {}
};

}  // namespace

std::unique_ptr<Session> make_single_session() { return std::make_unique<SingleSession>(); }

std::unique_ptr<Communicator> make_single_communicator() { return std::make_unique<SingleCommunicator>(); }

}  // namespace shakedown
