// SPDX-License-Identifier: Apache-2.0
#include "backends/host_matrix/cpu_telemetry.h"

#include <algorithm>
#include <fstream>
#include <string>
#include <system_error>

namespace shakedown {
namespace {

namespace fs = std::filesystem;

template <class Value>
std::optional<Value> read_value(const fs::path& path) {
  std::ifstream file{path};
  Value value{};
  if (!(file >> value)) return std::nullopt;
  return value;
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (fs::directory_iterator entry{folder, error}, end; !error && entry != end; entry.increment(error)) {
    paths.push_back(entry->path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

bool is_processor_sensor(const std::string& name) {
  return name == "coretemp" || name == "k10temp" || name == "zenpower";
}

}  // namespace

CpuTelemetry::CpuTelemetry(const std::vector<int>& cpus, const fs::path& root) {
  for (const int cpu : cpus) {
    const fs::path clock = root / "sys/devices/system/cpu" / ("cpu" + std::to_string(cpu)) / "cpufreq/scaling_cur_freq";
    if (read_value<double>(clock)) clocks_.push_back(clock);
  }
  for (const fs::path& zone : entries_of(root / "sys/class/powercap")) {
    // "package-0"; its cores and memory are zones of their own, and counted within or beside it.
    if (read_value<std::string>(zone / "name").value_or("").rfind("package", 0) != 0) continue;
    const auto energy = read_value<std::uint64_t>(zone / "energy_uj");
    if (!energy) continue;
    packages_.push_back({zone, *energy, read_value<std::uint64_t>(zone / "max_energy_range_uj").value_or(0), 0});
  }
  for (const fs::path& chip : entries_of(root / "sys/class/hwmon")) {
    if (!is_processor_sensor(read_value<std::string>(chip / "name").value_or(""))) continue;
    if (read_value<double>(chip / "temp1_input")) temperatures_.push_back(chip / "temp1_input");
  }
}

bool CpuTelemetry::has_sensors() const { return !clocks_.empty() || !packages_.empty() || !temperatures_.empty(); }

std::optional<double> CpuTelemetry::read_energy_j() {
  if (packages_.empty()) return std::nullopt;
  double joules = 0;
  for (Package& package : packages_) {
    const auto now = read_value<std::uint64_t>(package.folder / "energy_uj");
    if (!now) return std::nullopt;
    package.sum_uj += *now >= package.last_uj ? *now - package.last_uj : *now + package.range_uj - package.last_uj;
    package.last_uj = *now;
    joules += static_cast<double>(package.sum_uj) * 1e-6;
  }
  return joules;
}

TelemetryReading CpuTelemetry::read() {
  const std::lock_guard lock{mutex_};
  TelemetryReading reading;
  double khz = 0;
  int clocks = 0;
  for (const fs::path& clock : clocks_) {
    if (const auto value = read_value<double>(clock)) {
      khz += *value;
      ++clocks;
    }
  }
  if (clocks > 0) reading.clock_mhz = khz / clocks / 1000;
  for (const fs::path& sensor : temperatures_) {
    const auto value = read_value<double>(sensor);  // in thousandths
    if (value) reading.temperature_c = std::max(reading.temperature_c.value_or(-273), *value / 1000);
  }
  const auto now = std::chrono::steady_clock::now();
  reading.energy_j = read_energy_j();
  // RAPL counts every millisecond; a mean over a few of them is not all steps.
  const std::chrono::duration<double> since = now - last_time_;
  if (reading.energy_j && last_energy_j_ && since.count() >= 0.01) {
    reading.power_w = (*reading.energy_j - *last_energy_j_) / since.count();
  }
  last_energy_j_ = reading.energy_j;
  last_time_ = now;
  return reading;
}

std::optional<double> CpuTelemetry::power_limit_w() const {
  double watts = 0;
  for (const Package& package : packages_) {
    const auto limit = read_value<double>(package.folder / "constraint_0_power_limit_uw");
    if (!limit || *limit <= 0) return std::nullopt;
    watts += *limit * 1e-6;
  }
  if (packages_.empty()) return std::nullopt;
  return watts;
}

std::unique_ptr<CpuTelemetry> make_cpu_telemetry(const std::vector<int>& cpus) {
  auto telemetry = std::make_unique<CpuTelemetry>(cpus);
  if (!telemetry->has_sensors()) return nullptr;
  return telemetry;
}

}  // namespace shakedown
