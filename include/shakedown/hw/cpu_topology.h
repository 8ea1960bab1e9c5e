// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "shakedown/base/units.h"

namespace shakedown {

/// One logical CPU of each physical core among `allowed` (logical CPUs, in order), from /sys/devices/system/cpu; at
/// most as many as the CPU time that this process's cgroup grants (cpu.max, cpu.cfs_quota_us), at least one. A second
/// hyper-thread adds no multiplier to a core. `root` stands before /proc and /sys, so that recorded trees can be read.
std::vector<int> one_cpu_a_core(const std::vector<int>& allowed, const std::filesystem::path& root = "/");

/// The same for this process's affinity.
std::vector<int> usable_cores();

/// All last-level caches that these CPUs lie under, together; zero when the kernel does not tell.
Bytes last_level_cache(const std::vector<int>& cpus, const std::filesystem::path& root = "/");

/// The highest clock that the kernel knows for this CPU (cpufreq's cpuinfo_max_freq).
std::optional<double> max_clock_mhz(int cpu, const std::filesystem::path& root = "/");

}  // namespace shakedown
