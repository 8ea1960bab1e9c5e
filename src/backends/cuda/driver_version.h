// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "shakedown/model/run_context.h"

namespace shakedown {

/// "580.65.06" out of the text of /proc/driver/nvidia/version; empty when there is none in it.
std::string driver_version_in(const std::string& text);

/// "driver", "cuda_driver", "cuda_runtime", as found at run time; what is not known is left out.
NamedValues driver_versions();

/// Which of several installed libraries the loader took for this symbol; empty when it doesn't tell.
std::string path_of_library(const void* symbol);

}  // namespace shakedown
