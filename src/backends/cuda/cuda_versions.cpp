// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/cuda_versions.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <nccl.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <system_error>

#include "backends/cuda/gpu_absence.h"

namespace shakedown {
namespace {

/// NVML is asked at run time only: it comes with the driver, and some containers have CUDA without it.
std::string driver_version_of_nvml() {
  const std::unique_ptr<void, int (*)(void*)> nvml(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL), dlclose);
  if (!nvml) return {};
  const auto init = reinterpret_cast<int (*)()>(dlsym(nvml.get(), "nvmlInit_v2"));
  const auto shutdown = reinterpret_cast<int (*)()>(dlsym(nvml.get(), "nvmlShutdown"));
  const auto version = reinterpret_cast<int (*)(char*, unsigned)>(dlsym(nvml.get(), "nvmlSystemGetDriverVersion"));
  if (init == nullptr || shutdown == nullptr || version == nullptr || init() != 0) return {};
  std::array<char, 80> text{};  // NVML_SYSTEM_DRIVER_VERSION_BUFFER_SIZE
  const int status = version(text.data(), text.size());
  shutdown();
  return status == 0 ? text.data() : std::string();
}

std::string driver_version() {
  std::ifstream file("/proc/driver/nvidia/version");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const std::string version = driver_version_in(text);
  return version.empty() ? driver_version_of_nvml() : version;
}

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

std::string driver_version_in(const std::string& text) {
  // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Sun Jul ..."; the words before the number differ
  // between flavours.
  std::istringstream words(text.substr(0, text.find('\n')));
  for (std::string word; words >> word;) {
    if (word.find_first_not_of("0123456789.") == std::string::npos && word.find('.') != std::string::npos) return word;
  }
  return {};
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
