// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include "shakedown/comm/communicator.h"

namespace shakedown {

/// MPI's collectives on host memory: each call is carried out before enqueue returns.
class MpiCommunicator final : public Communicator {
 public:
  MpiCommunicator();
  MpiCommunicator(const MpiCommunicator&) = delete;
  MpiCommunicator& operator=(const MpiCommunicator&) = delete;
  ~MpiCommunicator() override = default;

  [[nodiscard]] bool supports(DataType type) const override;
  void enqueue(const CollectiveCall& call, const void* send, void* receive) override;
  void wait() override {}
  void close() override;

 private:
  void all_reduce_in_pieces(const CollectiveCall& call, const char* send, char* receive, MPI_Datatype type);

  MPI_Comm data_{MPI_COMM_NULL};
};

}  // namespace shakedown
