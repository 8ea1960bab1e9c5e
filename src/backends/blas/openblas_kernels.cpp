// SPDX-License-Identifier: Apache-2.0
#include "backends/blas/openblas_kernels.h"

#include <cblas.h>
#include <fmt/format.h>

#include <cstdlib>

// Exported, and absent where one kind of processor was built for; no header declares them.
extern "C" {
void gotoblas_dynamic_init();
void gotoblas_dynamic_quit();
}
#pragma weak gotoblas_dynamic_init
#pragma weak gotoblas_dynamic_quit

namespace shakedown {

std::string better_core(const std::string& core, const CpuFacts& cpu) {
  for (const char* old : {"Prescott", "Core2", "Nehalem", "Sandybridge"}) {
    if (core != old) continue;
    if (cpu.avx512) return "SkylakeX";
    if (cpu.avx2) return cpu.vendor == "AuthenticAMD" ? "Zen" : "Haswell";
  }
  return {};
}

std::string mend_kernels(const CpuFacts& cpu) {
  constexpr const char* variable = "OPENBLAS_CORETYPE";
  const std::string taken = openblas_get_corename();
  const std::string better = better_core(taken, cpu);
  if (better.empty() || std::getenv(variable) != nullptr) return {};
  if (gotoblas_dynamic_init != nullptr && gotoblas_dynamic_quit != nullptr) {
    ::setenv(variable, better.c_str(), 0);
    gotoblas_dynamic_quit();
    gotoblas_dynamic_init();
  }
  if (openblas_get_corename() == taken) {
    return fmt::format("OpenBLAS took this processor for {}, and is slow therefore; try {}={}", taken, variable,
                       better);
  }
  return fmt::format("OpenBLAS took this processor for {}; its kernels for {} were chosen instead", taken,
                     openblas_get_corename());
}

}  // namespace shakedown
