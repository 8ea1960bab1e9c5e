// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <vector>

#include "shakedown/gemm/telemetry.h"

namespace shakedown {

/// A processor's sensors as Linux shows them to everybody: cpufreq, powercap (RAPL), hwmon.
class CpuTelemetry final : public Telemetry {
 public:
  /// `root` stands before /sys, so that recorded trees can be read.
  explicit CpuTelemetry(const std::vector<int>& cpus, const std::filesystem::path& root = "/");
  TelemetryReading read() override;
  [[nodiscard]] std::optional<double> power_limit_w() const override;
  /// Whether anything can be read at all; in most virtual machines nothing can.
  [[nodiscard]] bool has_sensors() const;

 private:
  /// One processor package's energy: a counter that wraps.
  struct Package {
    std::filesystem::path folder;
    std::uint64_t last_uj{}, range_uj{}, sum_uj{};
  };
  std::optional<double> read_energy_j();

  std::mutex mutex_;
  std::vector<std::filesystem::path> clocks_, temperatures_;
  std::vector<Package> packages_;
  std::optional<double> last_energy_j_;
  std::chrono::steady_clock::time_point last_time_;
};

/// Null where there are no sensors.
std::unique_ptr<CpuTelemetry> make_cpu_telemetry(const std::vector<int>& cpus);

}  // namespace shakedown
