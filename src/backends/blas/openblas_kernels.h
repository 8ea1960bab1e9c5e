// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "shakedown/hw/gemm_peak.h"

namespace shakedown {

/// The kernels that OpenBLAS should be told to take, as OPENBLAS_CORETYPE spells them: not empty when it took `core`,
/// which is older than the processor's instructions. An OpenBLAS that is older than the processor does not know its
/// model and falls back to the kernels of 2004, at a fifteenth of the speed.
std::string better_core(const std::string& core, const CpuFacts& cpu);

/// Makes OpenBLAS take better kernels where it can be done in a running process. What was done, or what to type, in
/// words; empty when all was well. An OPENBLAS_CORETYPE that is set stays. Call it before other threads start.
std::string mend_kernels(const CpuFacts& cpu);

}  // namespace shakedown
