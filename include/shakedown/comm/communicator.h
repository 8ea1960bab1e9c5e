// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "shakedown/base/dtype.h"

namespace shakedown {

enum class Collective : std::uint8_t { all_reduce };
enum class ReduceOp : std::uint8_t { sum };

/// One collective operation, the same on every rank.
struct CollectiveCall {
  Collective kind{Collective::all_reduce};
  ReduceOp op{ReduceOp::sum};
  DataType dtype{DataType::float32};
  std::uint64_t count{};  ///< elements of this rank's send buffer; may exceed 2^31
};

/// The data plane: collectives between the ranks' buffers.
///
/// The destructor aborts and never waits for another rank; close() on the good path may.
class Communicator {
 public:
  virtual ~Communicator() = default;
  [[nodiscard]] virtual bool supports(DataType type) const = 0;
  /// Queues the call in the device's order of work, or carries it out at once where there is no queue. `send` may equal
  /// `receive` (in place).
  virtual void enqueue(const CollectiveCall& call, const void* send, void* receive) = 0;
  /// Throws Error when the transport knows of a failure; never waits.
  virtual void poll() = 0;
  /// Waits until all queued calls are done; throws Error when the transport reports a failure.
  virtual void wait() = 0;
  virtual void close() = 0;
  /// Ends it without the other ranks, so that nothing waits for its calls any more (freeing their buffers would). After
  /// it only the destructor may follow.
  virtual void abort() noexcept = 0;
};

}  // namespace shakedown
