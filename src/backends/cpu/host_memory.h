// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "shakedown/device/device.h"

namespace shakedown {

/// Host memory of its own pages; large ones on huge pages where the kernel has them, so that page walks are not
/// measured.
class HostBuffer final : public Buffer {
 public:
  /// Throws Error with the bytes asked for.
  explicit HostBuffer(Bytes size);
  HostBuffer(const HostBuffer&) = delete;
  HostBuffer& operator=(const HostBuffer&) = delete;
  ~HostBuffer() override;
  /// At least 64-byte aligned.
  [[nodiscard]] void* data() const override { return data_; }
  [[nodiscard]] Bytes size() const override { return size_; }

 private:
  Bytes size_;
  std::size_t mapped_;
  void* mapping_;
  void* data_;
};

}  // namespace shakedown
