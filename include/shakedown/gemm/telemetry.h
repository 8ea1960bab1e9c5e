// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace shakedown {

/// What a chip says of itself at one moment; each value is empty where it does not tell.
struct TelemetryReading {
  std::optional<double> clock_mhz;
  std::optional<double> power_w;
  std::optional<double> energy_j;  ///< since some fixed moment; differences count
  std::optional<double> temperature_c;
  std::vector<std::string> throttle;  ///< reasons that hold the clock down: "sw_power_cap", "hw_slowdown", ...
};

/// A chip's own sensors. Reading them takes microseconds to a few milliseconds and needs no work on the chip.
class Telemetry {
 public:
  virtual ~Telemetry() = default;
  virtual TelemetryReading read() = 0;
  /// The limit that a power cap holds; none when it is not told.
  [[nodiscard]] virtual std::optional<double> power_limit_w() const = 0;
};

}  // namespace shakedown
