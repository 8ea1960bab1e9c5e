// SPDX-License-Identifier: Apache-2.0
#include "backends/cublaslt/engine_info.h"

#include <fmt/format.h>

#include "backends/cublaslt/cublaslt_versions.h"
#include "backends/cublaslt/gemm_notices.h"
#include "backends/cublaslt/nvml_telemetry.h"
#include "backends/cuda/cuda_check.h"
#include "backends/cuda/open_gpu.h"
#include "shakedown/base/env.h"

namespace shakedown {
namespace {

int attribute(cudaDeviceAttr which, int index) {
  int value = 0;
  check(cudaDeviceGetAttribute(&value, which, index), fmt::format("ask GPU {} what it is", index));
  return value;
}

}  // namespace

GpuFacts read_gpu_facts(int index, const cudaDeviceProp& properties) {
  GpuFacts facts;
  EngineInfo& info = facts.info;
  info.device = describe_gpu(index, properties);
  info.chip = properties.name;
  info.library = "cuBLASLt " + cublaslt_version();
  info.units = properties.multiProcessorCount;
  info.cc_major = properties.major;
  info.cc_minor = properties.minor;
  info.cache = {static_cast<std::uint64_t>(attribute(cudaDevAttrL2CacheSize, index))};
  NvmlFacts nvml;
  facts.telemetry = open_nvml_telemetry(info.device->pci, nvml);
  info.max_clock_mhz = nvml.max_clock_mhz;
  if (const int khz = attribute(cudaDevAttrClockRate, index); !info.max_clock_mhz && khz > 0)
    info.max_clock_mhz = khz / 1e3;
  info.notices = notices_of(process_environment());
  if (nvml.mig)
    info.notices.push_back(fmt::format(
        "this GPU is divided (MIG): {} multiprocessors are measured; its power and clock are shared", info.units));
  if (!facts.telemetry)
    info.notices.emplace_back("NVML (libnvidia-ml.so.1) was not found: neither power nor throttling is known");
  return facts;
}

}  // namespace shakedown
