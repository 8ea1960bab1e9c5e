// SPDX-License-Identifier: Apache-2.0
#include "backends/cublaslt/cublaslt_versions.h"

#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "backends/cuda/driver_version.h"
#include "backends/cuda/gpu_absence.h"

namespace shakedown {
namespace {

/// Which of several installed libraries the loader took.
std::string library_path() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&cublasLtGetVersion), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(info.dli_fname, error);
  return error ? info.dli_fname : real.string();
}

}  // namespace

std::string cublaslt_version() {
  const std::size_t version = cublasLtGetVersion();  // 130100; 110903 before 12 alike
  return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

NamedValues cublaslt_versions() {
  NamedValues versions;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) versions.emplace_back(name, value);
  };
  int number = 0;
  add("driver", driver_version());
  if (cudaDriverGetVersion(&number) == cudaSuccess && number > 0) add("cuda_driver", cuda_version_text(number));
  if (cudaRuntimeGetVersion(&number) == cudaSuccess) add("cuda_runtime", cuda_version_text(number));
  add("cublaslt", cublaslt_version());
  add("cublaslt_path", library_path());
  return versions;
}

}  // namespace shakedown
