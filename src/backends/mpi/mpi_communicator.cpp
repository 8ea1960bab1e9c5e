// SPDX-License-Identifier: Apache-2.0
#include "backends/mpi/mpi_communicator.h"

#include <algorithm>

#include "backends/mpi/check.h"

namespace shakedown {
namespace {

/// MPI counts are C ints; a larger call is carried out in pieces of this many elements.
constexpr std::uint64_t max_piece = 1u << 30;

}  // namespace

MpiCommunicator::MpiCommunicator() {
  check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &data_), "make the communicator that is measured");
  check_mpi(MPI_Comm_set_errhandler(data_, MPI_ERRORS_RETURN), "set the error handler");
}

MPI_Datatype MpiCommunicator::mpi_type(DataType type) const {
  switch (type) {
    case DataType::int8:
      return MPI_INT8_T;
    case DataType::uint8:
      return MPI_UINT8_T;
    case DataType::int32:
      return MPI_INT32_T;
    case DataType::uint32:
      return MPI_UINT32_T;
    case DataType::int64:
      return MPI_INT64_T;
    case DataType::uint64:
      return MPI_UINT64_T;
    case DataType::float32:
      return MPI_FLOAT;
    case DataType::float64:
      return MPI_DOUBLE;
    case DataType::float16:
      return half_.type();
    case DataType::bfloat16:
      return bfloat_.type();
    case DataType::float8_e4m3fn:
    case DataType::float8_e5m2:
      return MPI_DATATYPE_NULL;
  }
  return MPI_DATATYPE_NULL;
}

MPI_Op MpiCommunicator::mpi_sum(DataType type) const {
  if (type == DataType::float16) return half_.op();
  return type == DataType::bfloat16 ? bfloat_.op() : MPI_SUM;
}

bool MpiCommunicator::supports(DataType type) const { return mpi_type(type) != MPI_DATATYPE_NULL; }

void MpiCommunicator::enqueue(const CollectiveCall& call, const void* send, void* receive) {
  if (call.count > max_piece) {
    all_reduce_in_pieces(call, static_cast<const char*>(send), static_cast<char*>(receive));
    return;
  }
  const void* source = send == receive ? MPI_IN_PLACE : send;
  check_mpi(
      MPI_Allreduce(source, receive, static_cast<int>(call.count), mpi_type(call.dtype), mpi_sum(call.dtype), data_),
      "all-reduce");
}

void MpiCommunicator::all_reduce_in_pieces(const CollectiveCall& call, const char* send, char* receive) {
  CollectiveCall piece = call;
  for (std::uint64_t done = 0; done < call.count; done += max_piece) {
    const std::uint64_t offset = done * size_of(call.dtype);
    piece.count = std::min(max_piece, call.count - done);
    enqueue(piece, send + offset, receive + offset);
  }
}

void MpiCommunicator::close() {
  half_.close();
  bfloat_.close();
  check_mpi(MPI_Comm_free(&data_), "free the communicator that was measured");
}

}  // namespace shakedown
