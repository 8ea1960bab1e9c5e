// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <cstdint>

#include "shakedown/base/error.h"
#include "shakedown/device/device.h"

namespace shakedown {

/// Throws Error unless `count` elements of `type` fit into the buffer; a wrong count must never write past the end.
inline void require_room(const Buffer& buffer, DataType type, std::uint64_t count) {
  if (count <= buffer.size().count / size_of(type)) return;
  throw Error(
      fmt::format("{} elements of {} do not fit into a buffer of {} bytes", count, name_of(type), buffer.size().count));
}

/// The same for bytes.
inline void require_room(const Buffer& buffer, Bytes size) {
  if (size <= buffer.size()) return;
  throw Error(fmt::format("{} bytes do not fit into a buffer of {} bytes", size.count, buffer.size().count));
}

}  // namespace shakedown
