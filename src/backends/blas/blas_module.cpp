// SPDX-License-Identifier: Apache-2.0
#include <cblas.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backends/blas/blas_engine.h"
#include "backends/blas/openblas_kernels.h"
#include "backends/entry_points.h"
#include "shakedown/backends/matrix_module.h"
#include "shakedown/base/error.h"

namespace shakedown {
namespace {

/// OpenBLAS behind the module's port.
class BlasModule final : public MatrixModule {
 public:
  BlasModule() : kernels_(mend_kernels(read_cpu_facts())) {}

  int device_count(std::string& /*reason*/) override { return 1; }

  std::unique_ptr<MatrixEngine> open_engine(int index) override {
    if (index != 0) throw Error("open OpenBLAS: the processors of a host are one device, number 0");
    std::vector<std::string> notices;
    if (!kernels_.empty()) notices.push_back(kernels_);
    return BlasEngine::open(std::move(notices));
  }

  [[nodiscard]] NamedValues versions() const override {
    return {{"blas", openblas_get_config()}, {"blas_core", openblas_get_corename()}};
  }

 private:
  std::string kernels_;  ///< what had to be done about the library's choice
};

}  // namespace
}  // namespace shakedown

extern "C" __attribute__((visibility("default"))) shakedown::MatrixModule* shakedown_matrix_module_v1() {
  return new shakedown::BlasModule;  // owned by the loader
}
