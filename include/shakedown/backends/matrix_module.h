// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "shakedown/backends/module.h"
#include "shakedown/gemm/matrix_engine.h"
#include "shakedown/model/run_context.h"

namespace shakedown {

/// What a module with a matrix engine offers (src/backends/{cublaslt,onednn,blas}).
class MatrixModule {
 public:
  virtual ~MatrixModule() = default;
  /// Devices that this process may use (1 for a CPU); zero, with the reason in words.
  virtual int device_count(std::string& reason) = 0;
  /// In the thread that will use it. Throws Error when the device can't be opened.
  virtual std::unique_ptr<MatrixEngine> open_engine(int index) = 0;
  /// "driver", "cuda_runtime", "cublaslt", "cublaslt_path"; "onednn"; "blas", ... as found at run time.
  [[nodiscard]] virtual NamedValues versions() const = 0;
};

/// Open a module as load_cuda_module() does.
Loaded<MatrixModule> load_cublaslt_module();
Loaded<MatrixModule> load_onednn_module();
Loaded<MatrixModule> load_blas_module();

}  // namespace shakedown
