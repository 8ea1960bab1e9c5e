// SPDX-License-Identifier: Apache-2.0
#include "shakedown/hw/cpu_topology.h"

#include <sched.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <thread>
#include <utility>

namespace shakedown {
namespace {

namespace fs = std::filesystem;

fs::path folder_of(int cpu, const fs::path& root) {
  return root / "sys/devices/system/cpu" / ("cpu" + std::to_string(cpu));
}

template <class Value>
std::optional<Value> read_value(const fs::path& path) {
  std::ifstream file{path};
  Value value{};
  if (!(file >> value)) return std::nullopt;
  return value;
}

/// Cores' worth of time that one group grants; none where it grants all.
std::optional<double> quota_of(const fs::path& group) {
  std::ifstream file{group / "cpu.max"};  // "100000 100000" or "max 100000"
  double quota{};
  double period{};
  if (file >> quota >> period && quota > 0 && period > 0) return quota / period;
  const auto old_quota = read_value<double>(group / "cpu.cfs_quota_us");  // version 1; -1 is no limit
  const auto old_period = read_value<double>(group / "cpu.cfs_period_us");
  if (old_quota && old_period && *old_quota > 0 && *old_period > 0) return *old_quota / *old_period;
  return std::nullopt;
}

/// The least quota from `path` (as /proc/self/cgroup says it) up to the root of the hierarchy, which in a container is
/// the container's own group.
std::optional<double> quota_above(const fs::path& mount, const fs::path& path) {
  std::optional<double> least = quota_of(mount);
  for (fs::path relative = path.relative_path(); !relative.empty(); relative = relative.parent_path()) {
    const auto quota = quota_of(mount / relative);
    if (quota && (!least || *quota < *least)) least = quota;
  }
  return least;
}

std::optional<double> cpu_quota(const fs::path& root) {
  std::optional<double> least;
  std::ifstream groups{root / "proc/self/cgroup"};
  for (std::string line; std::getline(groups, line);) {  // "hierarchy:controllers:path"
    const auto second = line.rfind(':');
    if (second == std::string::npos) continue;
    const fs::path path{line.substr(second + 1)};
    for (const char* mount : {"sys/fs/cgroup", "sys/fs/cgroup/cpu", "sys/fs/cgroup/cpu,cpuacct"}) {
      const auto quota = quota_above(root / mount, path);
      if (quota && (!least || *quota < *least)) least = quota;
    }
  }
  return least;
}

/// "32768K", "300M" as bytes.
std::uint64_t parse_cache_size(const std::string& text) {
  std::size_t end = 0;
  std::uint64_t size = 0;
  try {
    size = std::stoull(text, &end);
  } catch (const std::exception&) {
    return 0;
  }
  if (end < text.size() && text[end] == 'K') size <<= 10;
  if (end < text.size() && text[end] == 'M') size <<= 20;
  return size;
}

/// The cache of the highest level above `cpu`: who shares it, and its size.
std::pair<std::string, std::uint64_t> last_cache_of(int cpu, const fs::path& root) {
  std::pair<std::string, std::uint64_t> last;
  int highest = 0;
  for (int index = 0;; ++index) {
    const fs::path cache = folder_of(cpu, root) / "cache" / ("index" + std::to_string(index));
    const auto level = read_value<int>(cache / "level");
    if (!level) return last;
    if (*level <= highest) continue;
    highest = *level;
    last = {read_value<std::string>(cache / "shared_cpu_list").value_or(std::to_string(cpu)),
            parse_cache_size(read_value<std::string>(cache / "size").value_or(""))};
  }
}

}  // namespace

std::vector<int> one_cpu_a_core(const std::vector<int>& allowed, const fs::path& root) {
  std::vector<int> cpus;
  std::vector<std::pair<int, int>> cores;  // package and core of those taken
  for (const int cpu : allowed) {
    const fs::path topology = folder_of(cpu, root) / "topology";
    const int package = read_value<int>(topology / "physical_package_id").value_or(0);
    const std::pair core{package, read_value<int>(topology / "core_id").value_or(cpu)};
    if (std::find(cores.begin(), cores.end(), core) != cores.end()) continue;
    cores.push_back(core);
    cpus.push_back(cpu);
  }
  if (const auto quota = cpu_quota(root)) {
    const auto granted = static_cast<std::size_t>(std::max(1.0, std::floor(*quota)));
    if (cpus.size() > granted) cpus.resize(granted);
  }
  return cpus;
}

std::vector<int> usable_cores() {
  std::vector<int> allowed;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof set, &set) == 0) {
    for (std::size_t cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &set)) allowed.push_back(static_cast<int>(cpu));
    }
  } else {  // more CPUs than cpu_set_t holds
    for (unsigned cpu = 0; cpu < std::thread::hardware_concurrency(); ++cpu) allowed.push_back(static_cast<int>(cpu));
  }
  if (allowed.empty()) allowed.push_back(0);
  return one_cpu_a_core(allowed);
}

Bytes last_level_cache(const std::vector<int>& cpus, const fs::path& root) {
  std::map<std::string, std::uint64_t> caches;
  for (const int cpu : cpus) caches.insert(last_cache_of(cpu, root));
  Bytes sum;
  for (const auto& [sharers, size] : caches) sum.count += size;
  return sum;
}

std::optional<double> max_clock_mhz(int cpu, const fs::path& root) {
  const auto khz = read_value<double>(folder_of(cpu, root) / "cpufreq/cpuinfo_max_freq");
  if (!khz || *khz <= 0) return std::nullopt;
  return *khz / 1000;
}

}  // namespace shakedown
