// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/cuda_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "backends/buffer_room.h"
#include "backends/cuda/cuda_check.h"
#include "backends/cuda/cuda_timing.h"
#include "backends/cuda/open_gpu.h"
#include "backends/element_codec.h"
#include "shakedown/base/size_text.h"

namespace shakedown {
namespace {

/// Enough to hide the latency of memory on every GPU of the last ten years.
constexpr unsigned blocks_per_multiprocessor = 8;

class CudaBuffer final : public Buffer {
 public:
  CudaBuffer(UniqueMemory memory, Bytes size) : memory_(std::move(memory)), size_(size) {}
  [[nodiscard]] void* data() const override { return memory_.get(); }
  [[nodiscard]] Bytes size() const override { return size_; }

 private:
  UniqueMemory memory_;
  Bytes size_;
};

}  // namespace

CudaDevice::CudaDevice(int index) {
  const cudaDeviceProp properties = open_gpu(index);
  info_ = describe_gpu(index, properties);
  compute_capability_ = properties.major * 10 + properties.minor;
  stream_ = make_stream();
  queue_ = {stream_.get(), static_cast<unsigned>(properties.multiProcessorCount) * blocks_per_multiprocessor};
  found_ = device_memory(sizeof(MismatchCount), "allocate a counter on the GPU");
}

Bytes CudaDevice::cache_to_leave() const {
  int bytes = 0;
  check(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, info_.index), "ask for the size of the GPU's L2 cache");
  return {static_cast<std::uint64_t>(bytes)};
}

Bytes CudaDevice::free_memory() const { return free_gpu_memory(); }

std::unique_ptr<Buffer> CudaDevice::allocate(Bytes size) {
  const std::string doing =
      fmt::format("allocate {} ({} bytes) on GPU {} ({})", format_size(size), size.count, info_.index, info_.name);
  return std::make_unique<CudaBuffer>(device_memory(std::max<std::size_t>(size.count, 1), doing), size);
}

void CudaDevice::fill_contribution(Buffer& buffer, DataType type, std::uint64_t count, const CheckPattern& pattern,
                                   int rank) {
  require_room(buffer, type, count);
  check(queue_fill(queue_, buffer.data(), type, count, pattern, static_cast<std::uint32_t>(rank)),
        "fill a buffer on the GPU");
}

void CudaDevice::fill_bytes(Buffer& buffer, std::uint8_t value, Bytes size) {
  require_room(buffer, size);
  if (size.count == 0) return;
  check(cudaMemsetAsync(buffer.data(), value, size.count, stream_.get()), "set a buffer on the GPU");
}

Mismatch CudaDevice::check_sum(const Buffer& buffer, DataType type, std::uint64_t count, const CheckPattern& pattern) {
  require_room(buffer, type, count);
  constexpr const char* doing = "check the data on the GPU";
  MismatchCount found;
  auto* device_found = static_cast<MismatchCount*>(found_.get());
  check(cudaMemcpyAsync(device_found, &found, sizeof found, cudaMemcpyHostToDevice, stream_.get()), doing);
  check(queue_check(queue_, buffer.data(), type, count, pattern, device_found), doing);
  check(cudaMemcpyAsync(&found, device_found, sizeof found, cudaMemcpyDeviceToHost, stream_.get()), doing);
  check(cudaStreamSynchronize(stream_.get()), doing);
  Mismatch result;
  result.wrong = found.wrong;
  if (found.wrong == 0) return result;
  result.first_index = found.first_index;
  std::array<std::byte, 8> bytes{};  // the longest element
  const auto* element = static_cast<const std::byte*>(buffer.data()) + found.first_index * size_of(type);
  check(cudaMemcpyAsync(bytes.data(), element, size_of(type), cudaMemcpyDeviceToHost, stream_.get()), doing);
  check(cudaStreamSynchronize(stream_.get()), doing);
  result.got = decode_element(type, bytes.data());
  result.expected = static_cast<double>(pattern_sum(pattern, found.first_index));
  return result;
}

bool CudaDevice::idle() const {
  const cudaError_t status = cudaStreamQuery(stream_.get());
  if (status == cudaErrorNotReady) return false;
  check(status, "wait for the GPU");
  return true;
}

void CudaDevice::synchronize() { check(cudaStreamSynchronize(stream_.get()), "wait for the GPU"); }

std::unique_ptr<TimeMarks> CudaDevice::make_time_marks(std::size_t size) {
  return make_event_marks(stream_.get(), size);
}

std::unique_ptr<Recording> CudaDevice::record(const std::function<void()>& work) {
  return record_graph(stream_.get(), work);
}

}  // namespace shakedown
