// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/nccl_communicator.h"

#include <fmt/format.h>

#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "backends/cuda/cuda_check.h"
#include "backends/cuda/in_time.h"
#include "backends/cuda/nccl_start.h"
#include "shakedown/base/error.h"
#include "shakedown/hw/host.h"

namespace shakedown {
namespace {

constexpr Seconds abort_patience{2};
constexpr int first_version_with_fp8 = 22403;
constexpr int first_capability_with_fp8 = 90;

void check(ncclResult_t status, std::string_view doing, ncclComm_t comm, Site at = Site::here()) {
  if (status == ncclSuccess) return;
  const char* last = ncclGetLastError(comm);
  const std::string detail = last == nullptr || *last == '\0' ? std::string() : fmt::format(" ({})", last);
  throw Error(
      fmt::format("{}: NCCL says \"{}\"{}; NCCL_DEBUG=INFO shows more", doing, ncclGetErrorString(status), detail), at);
}

/// Waits for a call that is still under way: only where NCCL_COMM_BLOCKING=0 in the environment overrules us.
ncclResult_t settle(ncclResult_t status, ncclComm_t comm) {
  while (status == ncclInProgress) {
    std::this_thread::yield();
    const ncclResult_t asked = ncclCommGetAsyncError(comm, &status);
    if (asked != ncclSuccess) return asked;
  }
  return status;
}

/// The values are the library's binary interface; those of fp8 are written out since headers before 2.24 have no name
/// for them.
ncclDataType_t nccl_type(DataType type) {
  switch (type) {
    case DataType::int8:
      return ncclInt8;
    case DataType::uint8:
      return ncclUint8;
    case DataType::int32:
      return ncclInt32;
    case DataType::uint32:
      return ncclUint32;
    case DataType::int64:
      return ncclInt64;
    case DataType::uint64:
      return ncclUint64;
    case DataType::float16:
      return ncclFloat16;
    case DataType::bfloat16:
      return ncclBfloat16;
    case DataType::float32:
      return ncclFloat32;
    case DataType::float64:
      return ncclFloat64;
    case DataType::float8_e4m3fn:
      return static_cast<ncclDataType_t>(10);
    case DataType::float8_e5m2:
      return static_cast<ncclDataType_t>(11);
  }
  throw Error("NCCL has no such element type");
}

std::string make_id() {
  ncclUniqueId id{};
  check(ncclGetUniqueId(&id), "create NCCL's id of this run", nullptr);
  std::string hex;
  for (const char byte : id.internal)
    hex += fmt::format("{:02x}", static_cast<unsigned>(static_cast<unsigned char>(byte)));
  return hex;
}

ncclUniqueId parse_id(const std::string& hex) {
  ncclUniqueId id{};
  if (hex.size() != 2 * sizeof id.internal) throw Error("NCCL's id of this run came from rank 0 in a wrong length");
  for (std::size_t i = 0; i < sizeof id.internal; ++i) {
    id.internal[i] = static_cast<char>(std::stoi(hex.substr(2 * i, 2), nullptr, 16));
  }
  return id;
}

/// Ends the communicator without its peers. In a thread, since an abort can wait for a kernel of somebody else that
/// hangs.
void abort_communicator(ncclComm_t comm, int device) noexcept {
  try {
    ends_in_time(abort_patience, [comm, device] {
      cudaSetDevice(device);
      ncclCommAbort(comm);
    });
  } catch (const std::exception&) {  // no thread to be had: the process's end aborts as well
  }
}

/// A communicator while it is being created in another thread: aborted, unless somebody takes it.
class Joined {
 public:
  explicit Joined(int device) : device_(device) {}
  Joined(const Joined&) = delete;
  Joined& operator=(const Joined&) = delete;
  ~Joined() {
    if (comm_ != nullptr) abort_communicator(comm_, device_);
  }
  void join(const std::string& id, int rank, int size) {
    shakedown::check(cudaSetDevice(device_), fmt::format("use GPU {} for NCCL", device_));
    ncclComm_t comm = nullptr;
    const ncclResult_t status = ncclCommInitRank(&comm, size, parse_id(id), rank);
    check(settle(status, comm), fmt::format("create the NCCL communicator of {} ranks on GPU {}", size, device_),
          nullptr);
    comm_ = comm;
  }
  ncclComm_t take() { return std::exchange(comm_, nullptr); }

 private:
  int device_;
  ncclComm_t comm_{};
};

}  // namespace

NcclCommunicator::NcclCommunicator(ncclComm_t comm, CudaDevice& device) : comm_(comm), device_(device) {
  ncclGetVersion(&version_);
}

NcclCommunicator::~NcclCommunicator() { abort(); }

void NcclCommunicator::abort() noexcept {
  if (comm_ != nullptr) abort_communicator(std::exchange(comm_, nullptr), device_.info().index);
}

bool NcclCommunicator::supports(DataType type) const {
  if (type != DataType::float8_e4m3fn && type != DataType::float8_e5m2) return true;
  return version_ >= first_version_with_fp8 && device_.compute_capability() >= first_capability_with_fp8;
}

void NcclCommunicator::enqueue(const CollectiveCall& call, const void* send, void* receive) {
  const ncclResult_t status =
      ncclAllReduce(send, receive, call.count, nccl_type(call.dtype), ncclSum, comm_, device_.stream());
  if (status != ncclSuccess) check(settle(status, comm_), "queue an all-reduce", comm_);
}

void NcclCommunicator::poll() {
  ncclResult_t status = ncclSuccess;
  check(ncclCommGetAsyncError(comm_, &status), "ask NCCL how the calls go", comm_);
  if (status != ncclInProgress) check(status, "run the queued all-reduces", comm_);
}

void NcclCommunicator::wait() {
  // A peer that is lost shows up here only: its kernels keep waiting on this GPU for ever.
  while (!device_.idle()) {
    poll();
    std::this_thread::yield();
  }
  poll();
}

void NcclCommunicator::close() {
  if (comm_ == nullptr) return;
  check(settle(ncclCommFinalize(comm_), comm_), "finalize the NCCL communicator", comm_);
  check(ncclCommDestroy(std::exchange(comm_, nullptr)), "give the NCCL communicator back", nullptr);
}

std::unique_ptr<Communicator> make_nccl_communicator(Session& session, CudaDevice& device, StageBoard& board) {
  const auto joined = std::make_shared<Joined>(device.info().index);
  const std::string who = fmt::format("rank {} on {}", session.rank(), host_name());
  start_together(session, board, who,
                 {make_id, [joined, rank = session.rank(), size = session.size()](const std::string& id) {
                    joined->join(id, rank, size);
                  }});
  return std::make_unique<NcclCommunicator>(joined->take(), device);
}

}  // namespace shakedown
