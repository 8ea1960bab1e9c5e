// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>

namespace shakedown {

/// A duration in seconds, as a double.
using Seconds = std::chrono::duration<double>;

/// A number of bytes; 64 bits, so that counts beyond 2^31 never wrap.
struct Bytes {
  std::uint64_t count{};
  auto operator<=>(const Bytes&) const = default;
};

/// Bandwidth in bytes a second; shown in GB/s of 10^9 bytes.
struct BytesPerSecond {
  double value{};
  auto operator<=>(const BytesPerSecond&) const = default;
};

constexpr BytesPerSecond operator/(Bytes bytes, Seconds time) {
  return {static_cast<double>(bytes.count) / time.count()};
}

}  // namespace shakedown
