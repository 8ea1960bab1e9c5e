// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <exception>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "backends/entry_points.h"
#include "backends/open_module.h"
#include "shakedown/backends/matrix_module.h"
#include "shakedown/backends/module.h"

namespace shakedown {
namespace {

/// The build tree (bin, tests, lib) has the shape of the installed one, so one rule finds the modules in both.
std::filesystem::path module_file(const std::string& name) {
  std::error_code error;
  const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", error);
  return (self.parent_path() / ".." / "lib" / "shakedown" / ("libshakedown_" + name + ".so")).lexically_normal();
}

template <class Module>
Loaded<Module> load(const std::string& name, const char* entry, const ModuleWords& words) {
  const OpenedModule opened = open_module(module_file(name), entry, words);
  if (opened.entry == nullptr) return {nullptr, opened.reason};
  using Entry = Module* (*)();
  try {
    return {std::shared_ptr<Module>(reinterpret_cast<Entry>(opened.entry)()), {}};
  } catch (const std::exception& error) {
    return {nullptr, fmt::format("the {} did not start: {}", words.name, error.what())};
  }
}

}  // namespace

Loaded<MpiModule> load_mpi_module() {
  return load<MpiModule>(
      "mpi", mpi_module_entry,
      {"MPI module",
       "install Open MPI (on Debian and Ubuntu: apt-get install openmpi-bin) or add its folder to LD_LIBRARY_PATH"});
}

Loaded<CudaModule> load_cuda_module() {
  return load<CudaModule>(
      "cuda", cuda_module_entry,
      {"GPU module", "install NCCL or add its folder to LD_LIBRARY_PATH (NCCL 2.14 or newer is needed)"});
}

Loaded<MatrixModule> load_cublaslt_module() {
  return load<MatrixModule>(
      "cublaslt", matrix_module_entry,
      {"cuBLASLt module", "install cuBLAS (part of the CUDA Toolkit) or add its folder to LD_LIBRARY_PATH"});
}

Loaded<MatrixModule> load_onednn_module() {
  return load<MatrixModule>("onednn", matrix_module_entry,
                            {"oneDNN module",
                             "install oneDNN (on Debian and Ubuntu: apt-get install libdnnl-dev) or add its folder to "
                             "LD_LIBRARY_PATH"});
}

Loaded<MatrixModule> load_blas_module() {
  return load<MatrixModule>(
      "blas", matrix_module_entry,
      {"BLAS module",
       "install OpenBLAS (on Debian and Ubuntu: apt-get install libopenblas-dev) or add its folder to "
       "LD_LIBRARY_PATH"});
}

}  // namespace shakedown
