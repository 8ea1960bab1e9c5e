// SPDX-License-Identifier: Apache-2.0
#include "contract/matrix_engine_contract.h"
#include "shakedown/backends/matrix_module.h"

namespace shakedown::testing {
namespace {

const Maker<MatrixEngine> cublaslt{"CublasLt", [](std::string& why_not) -> std::unique_ptr<MatrixEngine> {
                                     const Loaded<MatrixModule> loaded = load_cublaslt_module();
                                     why_not = loaded.reason;
                                     if (!loaded.module || loaded.module->device_count(why_not) == 0) return nullptr;
                                     return loaded.module->open_engine(0);
                                   }};

INSTANTIATE_TEST_SUITE_P(Gpu, MatrixEngineContract, ::testing::Values(cublaslt), maker_name<MatrixEngine>);

}  // namespace
}  // namespace shakedown::testing
