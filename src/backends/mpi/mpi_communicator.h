// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include "backends/mpi/half_sum.h"
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
  void poll() override {}
  void wait() override {}
  void close() override;
  void abort() noexcept override {}

 private:
  [[nodiscard]] MPI_Datatype mpi_type(DataType type) const;
  [[nodiscard]] MPI_Op mpi_sum(DataType type) const;
  void all_reduce_in_pieces(const CollectiveCall& call, const char* send, char* receive);

  MPI_Comm data_{MPI_COMM_NULL};
  HalfSum half_{DataType::float16};
  HalfSum bfloat_{DataType::bfloat16};
};

}  // namespace shakedown
