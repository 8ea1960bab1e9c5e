// SPDX-License-Identifier: Apache-2.0
#include "contract/contract.h"
#include "contract/cuda_world.h"
#include "shakedown/backends/module.h"

namespace shakedown::testing {
namespace {

const Maker<Device> cuda_device{"Cuda", [](std::string& why_not) {
                                  const Loaded<CudaModule> loaded = load_cuda_module();
                                  why_not = loaded.reason;
                                  return open_first_gpu(loaded.module.get(), why_not);
                                }};
const Maker<World> nccl_world{"Nccl", open_gpu_world};

INSTANTIATE_TEST_SUITE_P(Gpu, DeviceContract, ::testing::Values(cuda_device), maker_name<Device>);
INSTANTIATE_TEST_SUITE_P(Gpu, CommunicatorContract, ::testing::Values(nccl_world), maker_name<World>);

}  // namespace
}  // namespace shakedown::testing
