// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "shakedown/base/units.h"

namespace shakedown {

/// Where in the buffers each call of a row works: one place after the other, so that a small payload is read from
/// memory as a large one is, and not from the cache that the call before left warm.
class Places {
 public:
  /// Transports and GPUs take their fast path at this alignment, so payloads of other sizes stay at one place.
  static constexpr std::uint64_t alignment = 16;

  /// How much of each buffer calls rotate over: twice the cache, so that a place is cold when its turn comes again.
  static constexpr Bytes room(Bytes cache) { return {2 * cache.count}; }

  Places(Bytes payload, Bytes cache, std::uint64_t calls) : payload_(payload.count) {
    if (payload_ == 0 || payload_ % alignment != 0) return;
    number_ = std::clamp<std::uint64_t>(room(cache).count / payload_, 1, std::max<std::uint64_t>(calls, 1));
  }

  [[nodiscard]] std::uint64_t number() const { return number_; }
  /// Bytes from the start of the buffer to the next call's place.
  std::uint64_t next() { return payload_ * (turn_++ % number_); }
  /// The next call works at the first place again.
  void restart() { turn_ = 0; }
  /// Places that calls have worked at since the last restart.
  [[nodiscard]] std::uint64_t used() const { return std::min(turn_, number_); }

 private:
  std::uint64_t payload_;
  std::uint64_t number_{1};
  std::uint64_t turn_{0};
};

}  // namespace shakedown
