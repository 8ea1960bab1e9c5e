// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <memory>

#include "backends/cuda/cuda_handles.h"
#include "backends/cuda/pattern_kernels.h"
#include "shakedown/device/device.h"

namespace shakedown {

/// One GPU behind the device port; all its work is in one stream, for which the communicator asks.
class CudaDevice final : public Device {
 public:
  /// Makes this the calling thread's current device. Throws Unavailable when there is no such GPU or it cannot be used.
  explicit CudaDevice(int index);

  [[nodiscard]] const DeviceInfo& info() const override { return info_; }
  [[nodiscard]] Bytes free_memory() const override;
  [[nodiscard]] Bytes cache_to_leave() const override;
  std::unique_ptr<Buffer> allocate(Bytes size) override;
  void fill_contribution(Buffer& buffer, DataType type, std::uint64_t count, const CheckPattern& pattern,
                         int rank) override;
  void fill_bytes(Buffer& buffer, std::uint8_t value, Bytes size) override;
  Mismatch check_sum(const Buffer& buffer, DataType type, std::uint64_t count, const CheckPattern& pattern) override;
  void synchronize() override;
  std::unique_ptr<TimeMarks> make_time_marks(std::size_t size) override;
  [[nodiscard]] bool can_record() const override { return true; }
  std::unique_ptr<Recording> record(const std::function<void()>& work) override;

  [[nodiscard]] cudaStream_t stream() const { return stream_.get(); }
  /// Whether all queued work is done; throws Error on a device failure.
  [[nodiscard]] bool idle() const;
  /// 90 for 9.0.
  [[nodiscard]] int compute_capability() const { return compute_capability_; }

 private:
  DeviceInfo info_;
  int compute_capability_{};
  UniqueStream stream_;
  KernelQueue queue_;
  UniqueMemory found_;  ///< a MismatchCount
};

}  // namespace shakedown
