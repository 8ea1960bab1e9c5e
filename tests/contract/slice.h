// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "shakedown/device/device.h"

namespace shakedown::testing {

/// A part of a buffer, so that a test can write where a device's own functions would not.
class Slice final : public Buffer {
 public:
  Slice(const Buffer& whole, std::uint64_t offset, std::uint64_t bytes)
      : data_(static_cast<std::byte*>(whole.data()) + offset), size_{bytes} {}
  [[nodiscard]] void* data() const override { return data_; }
  [[nodiscard]] Bytes size() const override { return size_; }

 private:
  void* data_;
  Bytes size_;
};

}  // namespace shakedown::testing
