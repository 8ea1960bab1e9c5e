// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "shakedown/backends/module.h"

namespace shakedown {

/// What this process found when it looked for GPUs.
struct LocalGpus {
  std::shared_ptr<CudaModule> module;  ///< empty when it was not wanted or could not be opened
  int count{0};
  std::string reason;  ///< why there are none
};

/// Looks for GPUs unless `backend` is "cpu".
LocalGpus look_for_gpus(const std::string& backend);

/// Whether GPUs are used, and why, in words.
struct BackendChoice {
  bool gpu{false};
  std::string reason;
};

/// Throws Unavailable when GPUs were asked for and there are none.
BackendChoice choose_backend(const std::string& backend, const LocalGpus& gpus);

}  // namespace shakedown
