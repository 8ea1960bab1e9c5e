// SPDX-License-Identifier: Apache-2.0
#include "backends/mpi/mpi_communicator.h"

#include <algorithm>

#include "backends/mpi/check.h"

namespace shakedown {
namespace {

/// MPI counts are C ints; a larger call is carried out in pieces of this many elements.
constexpr std::uint64_t max_piece = 1u << 30;

MPI_Datatype mpi_type(DataType type) {
  switch (type) {
    case DataType::int8: return MPI_INT8_T;
    case DataType::uint8: return MPI_UINT8_T;
    case DataType::int32: return MPI_INT32_T;
    case DataType::uint32: return MPI_UINT32_T;
    case DataType::int64: return MPI_INT64_T;
    case DataType::uint64: return MPI_UINT64_T;
    case DataType::float32: return MPI_FLOAT;
    case DataType::float64: return MPI_DOUBLE;
    default: return MPI_DATATYPE_NULL;
  }
}

}  // namespace

MpiCommunicator::MpiCommunicator() {
  check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &data_), "make the communicator that is measured");
  check_mpi(MPI_Comm_set_errhandler(data_, MPI_ERRORS_RETURN), "set the error handler");
}

bool MpiCommunicator::supports(DataType type) const { return mpi_type(type) != MPI_DATATYPE_NULL; }

void MpiCommunicator::enqueue(const CollectiveCall& call, const void* send, void* receive) {
  const MPI_Datatype type = mpi_type(call.dtype);
  const void* source = send == receive ? MPI_IN_PLACE : send;
  if (call.count <= max_piece) {
    check_mpi(MPI_Allreduce(source, receive, static_cast<int>(call.count), type, MPI_SUM, data_), "all-reduce");
    return;
  }
  all_reduce_in_pieces(call, static_cast<const char*>(send), static_cast<char*>(receive), type);
}

void MpiCommunicator::all_reduce_in_pieces(const CollectiveCall& call, const char* send, char* receive, MPI_Datatype type) {
  for (std::uint64_t done = 0; done < call.count; done += max_piece) {
    const std::uint64_t offset = done * size_of(call.dtype);
    const void* source = send == receive ? MPI_IN_PLACE : static_cast<const void*>(send + offset);
    const auto piece = static_cast<int>(std::min(max_piece, call.count - done));
    check_mpi(MPI_Allreduce(source, receive + offset, piece, type, MPI_SUM, data_), "all-reduce a piece of a large payload");
  }
}

void MpiCommunicator::close() { check_mpi(MPI_Comm_free(&data_), "free the communicator that was measured"); }

}  // namespace shakedown
