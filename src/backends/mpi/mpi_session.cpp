// SPDX-License-Identifier: Apache-2.0
#include "backends/mpi/mpi_session.h"

#include <cstdlib>

#include "backends/mpi/check.h"

namespace shakedown {
namespace {

/// MPI counts are C ints.
int int_count(std::size_t count, std::string_view doing) {
  if (count > 0x7FFFFFFF) throw Error(std::string(doing) + ": more than 2^31 - 1 elements in one message");
  return static_cast<int>(count);
}

}  // namespace

MpiSession::MpiSession(StageBoard& board) : board_(board) {
  board_.enter(Stage::mpi_init);
  // One thread alone calls MPI: the watchdog and the signal thread leave without it.
  int provided = 0;
  check_mpi(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided), "start MPI");
  open_ = true;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  check_mpi(MPI_Comm_dup(MPI_COMM_WORLD, &control_), "make the control communicator");
  check_mpi(MPI_Comm_rank(control_, &rank_), "ask for the rank");
  check_mpi(MPI_Comm_size(control_, &size_), "ask for the number of ranks");
  // Who shares this memory is what MPI finds, never what stale variables of another launcher say.
  MPI_Comm host = MPI_COMM_NULL;
  check_mpi(MPI_Comm_split_type(control_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &host),
            "find the ranks of this host");
  check_mpi(MPI_Comm_rank(host, &local_rank_), "ask for the local rank");
  check_mpi(MPI_Comm_size(host, &local_size_), "ask for the number of local ranks");
  check_mpi(MPI_Comm_free(&host), "free the host communicator");
  board_.beat();
}

MpiSession::~MpiSession() {
  // Reached open only on an error path, where finalizing would wait for ranks that may never come.
  if (open_) MPI_Abort(MPI_COMM_WORLD, static_cast<int>(ExitCode::failed));
}

void MpiSession::barrier() {
  check_mpi(MPI_Barrier(control_), "wait for all ranks");
  board_.beat();
}

std::string MpiSession::broadcast(const std::string& text) {
  unsigned long long length = text.size();
  check_mpi(MPI_Bcast(&length, 1, MPI_UNSIGNED_LONG_LONG, 0, control_), "broadcast a length");
  std::string result = rank_ == 0 ? text : std::string(length, '\0');
  check_mpi(MPI_Bcast(result.data(), int_count(length, "broadcast a text"), MPI_CHAR, 0, control_), "broadcast a text");
  board_.beat();
  return result;
}

std::vector<std::string> MpiSession::all_gather(const std::string& text) {
  const auto ranks = static_cast<std::size_t>(size_);
  std::vector<int> lengths(ranks);
  const int length = int_count(text.size(), "gather texts");
  check_mpi(MPI_Allgather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, control_), "gather the lengths of texts");
  std::vector<int> offsets(ranks, 0);
  std::size_t total = 0;
  for (std::size_t i = 0; i < ranks; ++i) {
    offsets[i] = int_count(total, "gather texts");
    total += static_cast<std::size_t>(lengths[i]);
  }
  std::string joined(total, '\0');
  check_mpi(
      MPI_Allgatherv(text.data(), length, MPI_CHAR, joined.data(), lengths.data(), offsets.data(), MPI_CHAR, control_),
      "gather texts");
  std::vector<std::string> result;
  for (std::size_t i = 0; i < ranks; ++i)
    result.push_back(joined.substr(static_cast<std::size_t>(offsets[i]), static_cast<std::size_t>(lengths[i])));
  board_.beat();
  return result;
}

std::vector<double> MpiSession::all_gather(std::span<const double> values) {
  std::vector<double> result(values.size() * static_cast<std::size_t>(size_));
  const int count = int_count(values.size(), "gather numbers");
  check_mpi(MPI_Allgather(values.data(), count, MPI_DOUBLE, result.data(), count, MPI_DOUBLE, control_),
            "gather numbers");
  board_.beat();
  return result;
}

std::vector<double> MpiSession::max(std::span<const double> values) {
  std::vector<double> result(values.size());
  check_mpi(MPI_Allreduce(values.data(), result.data(), int_count(values.size(), "find the largest numbers"),
                          MPI_DOUBLE, MPI_MAX, control_),
            "find the largest numbers");
  board_.beat();
  return result;
}

bool MpiSession::any(bool mine) {
  const double value = mine ? 1 : 0;
  return max(std::span(&value, 1))[0] > 0;
}

void MpiSession::close() {
  board_.enter(Stage::closing);
  check_mpi(MPI_Comm_free(&control_), "free the control communicator");
  check_mpi(MPI_Finalize(), "finish MPI");
  open_ = false;
}

void MpiSession::abort(ExitCode code) {
  MPI_Abort(MPI_COMM_WORLD, static_cast<int>(code));
  std::_Exit(static_cast<int>(code));
}

}  // namespace shakedown
