// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/cuda_versions.h"

#include <fmt/format.h>
#include <nccl.h>

namespace shakedown {

std::string nccl_version_text(int code) {
  const int major_unit = code >= 10000 ? 10000 : 1000;
  return fmt::format("{}.{}.{}", code / major_unit, code % major_unit / 100, code % 100);
}

NamedValues cuda_versions() {
  NamedValues versions = driver_versions();
  int number = 0;
  if (ncclGetVersion(&number) == ncclSuccess) versions.emplace_back("nccl", nccl_version_text(number));
  const std::string path = path_of_library(reinterpret_cast<const void*>(&ncclGetVersion));
  if (!path.empty()) versions.emplace_back("nccl_path", path);
  return versions;
}

}  // namespace shakedown
