// SPDX-License-Identifier: Apache-2.0
#include "backend_choice.h"

#include <fmt/format.h>

#include "shakedown/base/error.h"

namespace shakedown {

LocalGpus look_for_gpus(const std::string& backend) {
  LocalGpus gpus;
  if (backend == "cpu") return gpus;
  Loaded<CudaModule> loaded = load_cuda_module();
  gpus.module = std::move(loaded.module);
  gpus.reason = loaded.reason;
  if (gpus.module) gpus.count = gpus.module->device_count(gpus.reason);
  return gpus;
}

BackendChoice choose_backend(const std::string& backend, const LocalGpus& gpus) {
  if (backend == "cpu") return {.gpu = false, .reason = "--backend cpu"};
  if (gpus.count > 0)
    return {.gpu = true,
            .reason = backend == "cuda" ? "--backend cuda"
                                        : fmt::format("{} visible {}", gpus.count, gpus.count == 1 ? "GPU" : "GPUs")};
  if (backend == "cuda")
    throw Unavailable(
        fmt::format("--backend cuda: no usable GPU ({}); --backend cpu measures between CPU ranks", gpus.reason));
  return {.gpu = false, .reason = gpus.reason};
}

}  // namespace shakedown
