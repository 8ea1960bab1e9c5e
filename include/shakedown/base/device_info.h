// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "shakedown/base/units.h"

namespace shakedown {

/// Which accelerator a rank holds, so that no result is labelled with the wrong one.
struct DeviceInfo {
  int index{};       ///< as this process counts, after CUDA_VISIBLE_DEVICES
  std::string name;  ///< "NVIDIA H200"
  std::string uuid;  ///< "GPU-8932f937-..."; unique in the world
  std::string pci;   ///< "0000:1b:00.0"
  Bytes memory{};    ///< total
};

}  // namespace shakedown
