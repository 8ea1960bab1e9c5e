// SPDX-License-Identifier: Apache-2.0
#include "backends/cublaslt/gemm_notices.h"

#include <fmt/format.h>

#include <array>

namespace shakedown {
namespace {

struct Variable {
  const char* name;
  const char* effect;
};
// cuBLAS 13 documentation.
constexpr std::array<Variable, 8> variables{{
    {"NVIDIA_TF32_OVERRIDE", "0 forbids TF32 where tfloat32 is asked for"},
    {"CUBLAS_EMULATE_DOUBLE_PRECISION", "float64 may be emulated in integers"},
    {"CUBLAS_EMULATE_SINGLE_PRECISION", "float32 may be emulated in bfloat16"},
    {"CUBLAS_EMULATION_STRATEGY", "emulation may be preferred or forbidden"},
    {"CUBLAS_WORKSPACE_CONFIG", "cuBLAS may be held to fewer algorithms"},
    {"CUBLASLT_WORKSPACE_SIZE", "algorithms may get another workspace in other programs than this"},
    {"CUBLASLT_LOG_LEVEL", "each call writes a log, which takes time"},
    {"CUDA_LAUNCH_BLOCKING", "1 waits for each product, so that products are not back to back"},
}};

}  // namespace

std::vector<std::string> notices_of(const EnvLookup& environment) {
  std::vector<std::string> notices;
  for (const Variable& variable : variables) {
    if (const auto value = environment(variable.name))
      notices.push_back(fmt::format("{}={} is set: {}", variable.name, *value, variable.effect));
  }
  return notices;
}

}  // namespace shakedown
