// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "contract/contract.h"
#include "shakedown/backends/module.h"

namespace shakedown::testing {

/// The first GPU of this machine, or why there is none.
inline std::unique_ptr<Device> open_first_gpu(CudaModule* module, std::string& why_not) {
  if (module == nullptr || module->device_count(why_not) == 0) return nullptr;
  return module->open_device(0);
}

/// One rank on the first GPU, with NCCL.
inline std::unique_ptr<World> open_gpu_world(std::string& why_not) {
  const Loaded<CudaModule> loaded = load_cuda_module();
  why_not = loaded.reason;
  auto world = std::make_unique<World>();
  world->session = make_single_session();
  world->device = open_first_gpu(loaded.module.get(), why_not);
  if (!world->device) return nullptr;
  world->communicator = loaded.module->make_communicator(*world->session, *world->device, world->board);
  return world;
}

}  // namespace shakedown::testing
