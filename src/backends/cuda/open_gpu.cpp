// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/open_gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "backends/cuda/cuda_check.h"
#include "backends/cuda/gpu_absence.h"
#include "shakedown/base/error.h"

namespace shakedown {
namespace {

/// NCCL's own buffers and the driver's come on top of ours; one part in twenty, at most this.
constexpr std::uint64_t most_reserve = std::uint64_t{1} << 30;

/// "GPU-8932f937-d72c-4106-c12f-20bd9faed9f6", as nvidia-smi -L writes it.
std::string uuid_text(const cudaUUID_t& uuid) {
  std::string text = "GPU-";
  for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned>(static_cast<unsigned char>(uuid.bytes[i])));
  }
  return text;
}

void require_gpu(int index) {
  std::string reason;
  const int count = count_gpus(reason);
  if (count == 0) throw Unavailable(fmt::format("open GPU {}: {}", index, reason));
  if (index >= 0 && index < count) return;
  throw Unavailable(
      fmt::format("open GPU {}: this process sees {} {}, numbered from 0; see nvidia-smi -L and CUDA_VISIBLE_DEVICES",
                  index, count, count == 1 ? "GPU" : "GPUs"));
}

void check_usable(cudaError_t status, int index) {
  if (status == cudaSuccess) return;
  throw Unavailable(fmt::format("open GPU {}: {} ({}){}", index, cudaGetErrorString(status), cudaGetErrorName(status),
                                remedy_for(status)));
}

}  // namespace

cudaDeviceProp open_gpu(int index) {
  require_gpu(index);
  check_usable(cudaSetDevice(index), index);
  check_usable(cudaFree(nullptr), index);  // creates the context, also with runtimes whose cudaSetDevice does not
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, index), fmt::format("ask GPU {} what it is", index));
  return properties;
}

DeviceInfo describe_gpu(int index, const cudaDeviceProp& properties) {
  DeviceInfo info;
  info.index = index;
  info.name = properties.name;
  info.uuid = uuid_text(properties.uuid);
  info.pci = fmt::format("{:04x}:{:02x}:{:02x}.0", properties.pciDomainID, properties.pciBusID, properties.pciDeviceID);
  info.memory = {properties.totalGlobalMem};
  return info;
}

Bytes free_gpu_memory() {
  std::size_t free = 0;
  std::size_t total = 0;
  check(cudaMemGetInfo(&free, &total), "ask the GPU for its free memory");
  return {free - std::min<std::uint64_t>(most_reserve, free / 20)};
}

UniqueMemory device_memory(std::size_t bytes, const std::string& doing) {
  void* raw = nullptr;
  const cudaError_t status = cudaMalloc(&raw, bytes);
  if (status != cudaSuccess)
    cudaGetLastError();  // a refused allocation is not sticky; the next call must not report it
  check(status, doing);
  return UniqueMemory(raw);
}

}  // namespace shakedown
