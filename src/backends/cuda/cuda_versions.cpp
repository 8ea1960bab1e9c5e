// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/cuda_versions.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <nccl.h>

#include <filesystem>
#include <system_error>

#include "backends/cuda/gpu_absence.h"

namespace shakedown {
namespace {

/// Which of several installed NCCLs the loader took.
std::string nccl_path() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&ncclGetVersion), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(info.dli_fname, error);
  return error ? info.dli_fname : real.string();
}

}  // namespace

std::string nccl_version_text(int code) {
  const int major_unit = code >= 10000 ? 10000 : 1000;
  return fmt::format("{}.{}.{}", code / major_unit, code % major_unit / 100, code % 100);
}

NamedValues cuda_versions() {
  NamedValues versions;
  const auto add = [&](const char* name, const std::string& value) {
    if (!value.empty()) versions.emplace_back(name, value);
  };
  int number = 0;
  add("driver", driver_version());
  if (cudaDriverGetVersion(&number) == cudaSuccess && number > 0) add("cuda_driver", cuda_version_text(number));
  if (cudaRuntimeGetVersion(&number) == cudaSuccess) add("cuda_runtime", cuda_version_text(number));
  if (ncclGetVersion(&number) == ncclSuccess) add("nccl", nccl_version_text(number));
  add("nccl_path", nccl_path());
  return versions;
}

}  // namespace shakedown
