// SPDX-License-Identifier: Apache-2.0
#include "backends/cublaslt/cublaslt_versions.h"

#include <cublasLt.h>
#include <fmt/format.h>

#include "backends/cuda/driver_version.h"

namespace shakedown {

std::string cublaslt_version() {
  const std::size_t version = cublasLtGetVersion();  // 130100; 110903 before 12 alike
  return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

NamedValues cublaslt_versions() {
  NamedValues versions = driver_versions();
  versions.emplace_back("cublaslt", cublaslt_version());
  const std::string path = path_of_library(reinterpret_cast<const void*>(&cublasLtGetVersion));
  if (!path.empty()) versions.emplace_back("cublaslt_path", path);
  return versions;
}

}  // namespace shakedown
