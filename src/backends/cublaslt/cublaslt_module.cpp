// SPDX-License-Identifier: Apache-2.0
#include <cublasLt.h>
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <system_error>

#include "backends/cublaslt/cublaslt_engine.h"
#include "backends/cuda/driver_version.h"
#include "backends/cuda/gpu_absence.h"
#include "backends/entry_points.h"
#include "shakedown/backends/matrix_module.h"

namespace shakedown {
namespace {

/// Which of several installed cuBLAS libraries the loader took.
std::string library_path() {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&cublasLtGetVersion), &info) == 0 || info.dli_fname == nullptr) return {};
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(info.dli_fname, error);
  return error ? info.dli_fname : real.string();
}

/// GPUs through cuBLASLt behind the module's port.
class CublasLt final : public MatrixModule {
 public:
  int device_count(std::string& reason) override { return count_gpus(reason); }

  std::unique_ptr<MatrixEngine> open_engine(int index) override { return std::make_unique<CublasLtEngine>(index); }

  [[nodiscard]] NamedValues versions() const override {
    NamedValues versions;
    const auto add = [&](const char* name, const std::string& value) {
      if (!value.empty()) versions.emplace_back(name, value);
    };
    int number = 0;
    add("driver", driver_version());
    if (cudaDriverGetVersion(&number) == cudaSuccess && number > 0) add("cuda_driver", cuda_version_text(number));
    if (cudaRuntimeGetVersion(&number) == cudaSuccess) add("cuda_runtime", cuda_version_text(number));
    const std::size_t version = cublasLtGetVersion();
    add("cublaslt", fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100));
    add("cublaslt_path", library_path());
    return versions;
  }
};

}  // namespace
}  // namespace shakedown

extern "C" __attribute__((visibility("default"))) shakedown::MatrixModule* shakedown_matrix_module_v1() {
  return new shakedown::CublasLt;  // owned by the loader
}
