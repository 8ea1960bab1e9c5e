// SPDX-License-Identifier: Apache-2.0
#include "shakedown/hw/memory.h"

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

namespace shakedown {
namespace {

namespace fs = std::filesystem;

/// How one version of cgroups spells a limit.
struct CgroupFiles {
  const char* limit;
  const char* usage;
  const char* inactive_key;
};
constexpr CgroupFiles version2{"memory.max", "memory.current", "inactive_file"};
constexpr CgroupFiles version1{"memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file"};
// Version 1 writes "no limit" as the largest multiple of a page; nobody means a limit of an exbibyte.
constexpr std::uint64_t no_limit = std::uint64_t{1} << 60;

std::optional<std::uint64_t> read_number(const fs::path& path) {
  std::ifstream file{path};
  std::uint64_t value{};
  if (!(file >> value)) return std::nullopt;  // absent, or "max"
  return value;
}

/// The number after `key` in a file of lines "key number ...".
std::optional<std::uint64_t> read_keyed(const fs::path& path, std::string_view key) {
  std::ifstream file{path};
  std::string name;
  std::string rest;
  while (file >> name) {
    std::uint64_t value{};
    if (name == key && file >> value) return value;
    std::getline(file, rest);
  }
  return std::nullopt;
}

void take_least(std::optional<std::uint64_t>& least, std::optional<std::uint64_t> value) {
  if (value && (!least || *value < *least)) least = value;
}

/// Room under the limit of one group. File pages that nobody uses are given back before the limit bites.
std::optional<std::uint64_t> room_in(const fs::path& group, const CgroupFiles& files) {
  const auto limit = read_number(group / files.limit);
  if (!limit || *limit >= no_limit) return std::nullopt;
  const std::uint64_t usage = read_number(group / files.usage).value_or(0);
  const std::uint64_t reclaimable = read_keyed(group / "memory.stat", files.inactive_key).value_or(0);
  const std::uint64_t held = usage - std::min(usage, reclaimable);
  return *limit - std::min(*limit, held);
}

/// The least room from `path` (as /proc/self/cgroup says it) up to the root of the hierarchy. In a container the path
/// may be the host's and absent here, while the hierarchy's root is the container's own group; the walk passes both.
std::optional<std::uint64_t> room_above(const fs::path& mount, const fs::path& path, const CgroupFiles& files) {
  std::optional<std::uint64_t> least;
  for (fs::path relative = path.relative_path(); !relative.empty(); relative = relative.parent_path()) {
    take_least(least, room_in(mount / relative, files));
  }
  take_least(least, room_in(mount, files));
  return least;
}

bool has_controller(std::string_view list, std::string_view name) {
  const std::string padded = "," + std::string{list} + ",";
  return padded.find("," + std::string{name} + ",") != std::string::npos;
}

}  // namespace

std::uint64_t address_space_left(const fs::path& root) {
  rlimit space{};
  if (::getrlimit(RLIMIT_AS, &space) != 0 || space.rlim_cur == RLIM_INFINITY) return no_limit;
  const std::uint64_t used = read_keyed(root / "proc/self/status", "VmSize:").value_or(0) * 1024;
  return space.rlim_cur - std::min<std::uint64_t>(space.rlim_cur, used);
}

Bytes available_host_memory(const fs::path& root) {
  std::optional<std::uint64_t> least;
  if (const std::uint64_t left = address_space_left(root); left < no_limit) take_least(least, left);
  if (const auto kib = read_keyed(root / "proc/meminfo", "MemAvailable:")) take_least(least, *kib * 1024);

  const fs::path mount = root / "sys/fs/cgroup";
  std::ifstream groups{root / "proc/self/cgroup"};
  for (std::string line; std::getline(groups, line);) {  // "hierarchy:controllers:path"
    const auto first = line.find(':');
    const auto second = first == std::string::npos ? first : line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path path{line.substr(second + 1)};
    if (controllers.empty()) {
      take_least(least, room_above(mount, path, version2));
      take_least(least, room_above(mount / "unified", path, version2));
    } else if (has_controller(controllers, "memory")) {
      take_least(least, room_above(mount / "memory", path, version1));
    }
  }
  return Bytes{least.value_or(0)};
}

}  // namespace shakedown
