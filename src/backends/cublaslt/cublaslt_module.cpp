// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "backends/cublaslt/cublaslt_engine.h"
#include "backends/cublaslt/cublaslt_versions.h"
#include "backends/cuda/gpu_absence.h"
#include "backends/entry_points.h"
#include "shakedown/backends/matrix_module.h"

namespace shakedown {
namespace {

/// cuBLASLt behind the module's port.
class CublasLtModule final : public MatrixModule {
 public:
  int device_count(std::string& reason) override { return count_gpus(reason); }
  std::unique_ptr<MatrixEngine> open_engine(int index) override { return std::make_unique<CublasLtEngine>(index); }
  [[nodiscard]] NamedValues versions() const override { return cublaslt_versions(); }
};

}  // namespace
}  // namespace shakedown

extern "C" __attribute__((visibility("default"))) shakedown::MatrixModule* shakedown_matrix_module_v1() {
  return new shakedown::CublasLtModule;  // owned by the loader
}
