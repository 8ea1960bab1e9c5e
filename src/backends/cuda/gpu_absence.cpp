// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/gpu_absence.h"

#include <fmt/format.h>

#include "shakedown/base/env.h"

namespace shakedown {
namespace {

std::string hidden_text(const std::string& visible_devices) {
  if (visible_devices.empty()) {
    return "no GPU visible: CUDA_VISIBLE_DEVICES is set but empty, which hides all GPUs; unset it to see them";
  }
  return fmt::format("no GPU visible: CUDA_VISIBLE_DEVICES is set to '{}'; unset it to see all GPUs", visible_devices);
}

GpuProbe probe_gpus() {
  GpuProbe probe;
  probe.status = cudaGetDeviceCount(&probe.count);
  if (probe.status != cudaSuccess) {
    probe.count = 0;
    cudaGetLastError();  // an answer, not a failure of the next call
  }
  cudaDriverGetVersion(&probe.driver_version);
  cudaRuntimeGetVersion(&probe.runtime_version);
  probe.visible_devices = process_environment()("CUDA_VISIBLE_DEVICES");
  return probe;
}

}  // namespace

std::string why_no_gpu(const GpuProbe& probe) {
  switch (probe.status) {
    case cudaErrorInsufficientDriver:
      if (probe.driver_version == 0) {
        return "no NVIDIA driver: libcuda.so.1 was not found; in a container, start it with the GPUs (docker run "
               "--gpus all)";
      }
      return fmt::format("the NVIDIA driver is too old: it runs CUDA {}, this build needs {}; update the driver",
                         cuda_version_text(probe.driver_version), cuda_version_text(probe.runtime_version));
    case cudaErrorStubLibrary:
      return "no NVIDIA driver: the libcuda.so.1 that was found is the CUDA toolkit's stub; take its stubs folder out "
             "of LD_LIBRARY_PATH";
    case cudaErrorSystemNotReady:
      return "the GPUs are not ready (CUDA error 802): on machines with NVSwitch the fabric manager must run; see "
             "systemctl status "
             "nvidia-fabricmanager";
    case cudaErrorSystemDriverMismatch:
      return "the NVIDIA kernel module and libcuda.so.1 are of different versions (CUDA error 803); reboot after the "
             "driver's update";
    case cudaSuccess:
    case cudaErrorNoDevice:
      if (probe.visible_devices) return hidden_text(*probe.visible_devices);
      return "no GPU in this machine: the NVIDIA driver finds none; in a container, start it with the GPUs (docker run "
             "--gpus all)";
    default:
      break;
  }
  const std::string visible = probe.visible_devices
                                  ? fmt::format("; CUDA_VISIBLE_DEVICES is set to '{}'", *probe.visible_devices)
                                  : std::string();
  return fmt::format("the NVIDIA driver shows no GPU: {} (CUDA error {}){}; see whether nvidia-smi works",
                     cudaGetErrorString(probe.status), static_cast<int>(probe.status), visible);
}

int count_gpus(std::string& reason) {
  const GpuProbe probe = probe_gpus();
  reason = probe.count > 0 ? std::string() : why_no_gpu(probe);
  return probe.count;
}

std::string cuda_version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

}  // namespace shakedown
