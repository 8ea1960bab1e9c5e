// SPDX-License-Identifier: Apache-2.0
#include "devices.h"

#include <fmt/format.h>

#include <numeric>

#include "shakedown/base/error.h"

namespace shakedown {

std::vector<int> choose_devices(const DeviceChoice& choice, bool gpu, int count, std::optional<int> local_rank) {
  if (local_rank) {
    if (choice.all || !choice.indices.empty())
      throw UsageError(
          "--device, --devices: under a launcher each rank measures the device of its local rank; leave them out, or "
          "start one process a node by hand");
    return {*local_rank % count};
  }
  if (choice.all) {
    std::vector<int> every(static_cast<std::size_t>(count));
    std::iota(every.begin(), every.end(), 0);
    return every;
  }
  for (const int index : choice.indices) {
    if (index < count) continue;
    if (!gpu) throw Unavailable(fmt::format("--device: {} is not there: the CPU is one device, 0", index));
    throw Unavailable(
        fmt::format("--device: {} is not there: {} visible {} (CUDA_VISIBLE_DEVICES hides some where it is set)", index,
                    count, count == 1 ? "GPU, 0" : fmt::format("GPUs, 0 to {}", count - 1)));
  }
  return choice.indices.empty() ? std::vector<int>{0} : choice.indices;
}

}  // namespace shakedown
