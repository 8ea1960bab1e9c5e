// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "backends/cuda/cuda_device.h"
#include "backends/cuda/cuda_versions.h"
#include "backends/cuda/gpu_absence.h"
#include "backends/cuda/nccl_communicator.h"
#include "backends/entry_points.h"
#include "shakedown/backends/module.h"
#include "shakedown/base/error.h"

namespace shakedown {
namespace {

/// CUDA and NCCL behind the module's port.
class CudaAndNccl final : public CudaModule {
 public:
  int device_count(std::string& reason) override { return count_gpus(reason); }

  std::unique_ptr<Device> open_device(int index) override { return std::make_unique<CudaDevice>(index); }

  std::unique_ptr<Communicator> make_communicator(Session& session, Device& device, StageBoard& board) override {
    auto* gpu = dynamic_cast<CudaDevice*>(&device);
    if (gpu == nullptr) throw Error("create an NCCL communicator: the device is not one that the GPU module opened");
    return make_nccl_communicator(session, *gpu, board);
  }

  [[nodiscard]] NamedValues versions() const override { return cuda_versions(); }
};

}  // namespace
}  // namespace shakedown

extern "C" __attribute__((visibility("default"))) shakedown::CudaModule* shakedown_cuda_module_v1() {
  return new shakedown::CudaAndNccl;  // owned by the loader
}
