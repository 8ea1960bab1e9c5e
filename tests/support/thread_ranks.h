// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <barrier>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "shakedown/comm/communicator.h"
#include "shakedown/comm/session.h"

namespace shakedown {

/// Ranks as threads of one test process.
class FakeWorld {
 public:
  explicit FakeWorld(int size);

  /// Runs `body` once a rank, each in a thread; throws the first rank's exception again. A body that throws must throw
  /// on all ranks.
  void run(const std::function<void(Session&, Communicator&)>& body);

  /// Called with each rank's result after a call, so that a test can spoil it.
  std::function<void(int rank, float* result, std::size_t count)> spoil;

  /// Communicators that were aborted.
  [[nodiscard]] int aborts() const { return aborts_; }

 private:
  friend class FakeSession;
  friend class FakeCommunicator;

  int size_;
  std::atomic<int> aborts_{0};
  std::barrier<> gate_;
  std::vector<std::string> slots_;
  std::vector<const float*> sends_;
};

}  // namespace shakedown
