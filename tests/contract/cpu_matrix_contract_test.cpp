// SPDX-License-Identifier: Apache-2.0
#include "contract/matrix_engine_contract.h"
#include "shakedown/backends/matrix_module.h"

namespace shakedown::testing {
namespace {

std::unique_ptr<MatrixEngine> open(const Loaded<MatrixModule>& loaded, std::string& why_not) {
  if (!loaded.module) {
    why_not = loaded.reason;
    return nullptr;
  }
  return loaded.module->open_engine(0);
}

const Maker<MatrixEngine> onednn{"OneDnn", [](std::string& why_not) { return open(load_onednn_module(), why_not); }};
const Maker<MatrixEngine> blas{"Blas", [](std::string& why_not) { return open(load_blas_module(), why_not); }};

INSTANTIATE_TEST_SUITE_P(OneDnn, MatrixEngineContract, ::testing::Values(onednn), maker_name<MatrixEngine>);
INSTANTIATE_TEST_SUITE_P(Blas, MatrixEngineContract, ::testing::Values(blas), maker_name<MatrixEngine>);

}  // namespace
}  // namespace shakedown::testing
