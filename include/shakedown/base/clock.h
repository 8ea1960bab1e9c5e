// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>

#include "shakedown/base/units.h"

namespace shakedown {

/// The host's time as a parameter, so that tests can turn it by hand.
class Clock {
 public:
  virtual ~Clock() = default;
  /// Monotonic; the origin means nothing.
  [[nodiscard]] virtual Seconds now() const = 0;
};

/// The machine's monotonic clock.
class SteadyClock final : public Clock {
 public:
  [[nodiscard]] Seconds now() const override { return std::chrono::steady_clock::now().time_since_epoch(); }
};

}  // namespace shakedown
