// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nccl.h>

#include <memory>

#include "backends/cuda/cuda_device.h"
#include "shakedown/base/stage_board.h"
#include "shakedown/comm/communicator.h"
#include "shakedown/comm/session.h"

namespace shakedown {

/// NCCL behind the communicator port; its calls are queued on the device's stream.
///
/// The communicator is a blocking one: since NCCL 2.23 each call on a non-blocking communicator starts a thread
/// (src/group.cc, ncclGroupEndInternal), which would be measured with every small message. What a blocking one lacks, a
/// deadline for its start, start_together() gives; calls that hang are the watchdog's.
class NcclCommunicator final : public Communicator {
 public:
  /// Takes over a communicator that has been created on the device.
  NcclCommunicator(ncclComm_t comm, CudaDevice& device);
  NcclCommunicator(const NcclCommunicator&) = delete;
  NcclCommunicator& operator=(const NcclCommunicator&) = delete;
  /// Aborts; waits two seconds at most.
  ~NcclCommunicator() override;

  [[nodiscard]] bool supports(DataType type) const override;
  void enqueue(const CollectiveCall& call, const void* send, void* receive) override;
  void poll() override;
  void wait() override;
  /// Recordings that hold calls of this communicator must be gone: NCCL waits for them.
  void close() override;
  void abort() noexcept override;

 private:
  ncclComm_t comm_;
  CudaDevice& device_;
  int version_{};
};

/// Joins all ranks of the session; every rank throws when one could not (start_together).
std::unique_ptr<Communicator> make_nccl_communicator(Session& session, CudaDevice& device, StageBoard& board);

}  // namespace shakedown
