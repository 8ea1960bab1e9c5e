// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shakedown {
class CudaModule;
class MatrixModule;
class MpiModule;
}  // namespace shakedown

// The names that the loader looks up. A changed interface gets a new number, so that a tool and a module of different
// versions refuse each other instead of crashing. The caller owns the object.
extern "C" {
shakedown::CudaModule* shakedown_cuda_module_v1();
shakedown::MpiModule* shakedown_mpi_module_v1();
// Of each module with a matrix engine.
shakedown::MatrixModule* shakedown_matrix_module_v1();
}

namespace shakedown {

inline constexpr const char* cuda_module_entry = "shakedown_cuda_module_v1";
inline constexpr const char* mpi_module_entry = "shakedown_mpi_module_v1";
inline constexpr const char* matrix_module_entry = "shakedown_matrix_module_v1";

}  // namespace shakedown
