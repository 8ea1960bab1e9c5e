// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/driver_version.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

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

}  // namespace

std::string driver_version_in(const std::string& text) {
  // "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Sun Jul ..."; the words before the number differ
  // between flavours.
  std::istringstream words(text.substr(0, text.find('\n')));
  for (std::string word; words >> word;) {
    if (word.find_first_not_of("0123456789.") == std::string::npos && word.find('.') != std::string::npos) return word;
  }
  return {};
}

NamedValues driver_versions() {
  NamedValues versions;
  int number = 0;
  if (const std::string driver = driver_version(); !driver.empty()) versions.emplace_back("driver", driver);
  if (cudaDriverGetVersion(&number) == cudaSuccess && number > 0)
    versions.emplace_back("cuda_driver", cuda_version_text(number));
  if (cudaRuntimeGetVersion(&number) == cudaSuccess) versions.emplace_back("cuda_runtime", cuda_version_text(number));
  return versions;
}

std::string path_of_library(const void* symbol) {
  Dl_info info{};
  if (dladdr(symbol, &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(info.dli_fname, error);
  return error ? info.dli_fname : real.string();
}

}  // namespace shakedown
