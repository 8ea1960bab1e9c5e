// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "shakedown/model/run_context.h"

namespace shakedown {

/// "13.1.0", of the library that was found at run time.
std::string cublaslt_version();

/// "driver", "cuda_driver", "cuda_runtime", "cublaslt", "cublaslt_path"; what is not known is left out.
NamedValues cublaslt_versions();

}  // namespace shakedown
