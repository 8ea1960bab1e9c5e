// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <memory>
#include <optional>

#include "backends/cublaslt/operand_kernels.h"
#include "backends/cuda/cuda_handles.h"
#include "shakedown/gemm/matrix_engine.h"

namespace shakedown {

using PinnedMemory = UniqueHandle<void*, cudaFreeHost>;

/// Batches of work in one stream, each between two events and two sets of clock stamps. Starting one allocates nothing
/// and waits for nothing, so that batches in flight leave the GPU no gap.
class BatchQueue {
 public:
  BatchQueue(cudaStream_t stream, int units);

  /// Queues the marks around what `work` queues. Throws Error where too many are in flight.
  void start(int calls, const std::function<void()>& work);
  /// Waits for the oldest. Throws Error on a device failure.
  BatchReading finish();
  [[nodiscard]] bool idle() const { return started_.empty(); }

 private:
  struct Slot {
    UniqueEvent before, after, read;
    ClockStamp* on_device{};  ///< two sets
    ClockStamp* on_host{};
  };
  struct Started {
    std::size_t slot;
    int calls;
  };
  [[nodiscard]] std::optional<double> clock_of(const Slot& slot) const;

  cudaStream_t stream_;
  int units_;
  UniqueMemory device_stamps_;
  PinnedMemory host_stamps_;
  std::array<Slot, MatrixEngine::batches_in_flight> slots_;
  std::deque<Started> started_;
  std::size_t next_{0};
};

/// Waits for an event without keeping the driver's lock: spins at first, then sleeps in between.
void wait_for(cudaEvent_t event, const char* doing);

}  // namespace shakedown
