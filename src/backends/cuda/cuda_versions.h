// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "backends/cuda/driver_version.h"
#include "shakedown/model/run_context.h"

namespace shakedown {

/// "2.28.9" for 22809, "2.7.8" for 2708: NCCL changed its encoding at 2.9.
std::string nccl_version_text(int code);

/// "driver", "cuda_driver", "cuda_runtime", "nccl", "nccl_path", as found at run time; what is not known is left out.
NamedValues cuda_versions();

}  // namespace shakedown
