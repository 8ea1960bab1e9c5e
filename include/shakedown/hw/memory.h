// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>

#include "shakedown/base/units.h"

namespace shakedown {

/// Bytes that this process may still map under its limit (ulimit -v); an exbibyte where there is none.
std::uint64_t address_space_left(const std::filesystem::path& root = "/");

/// What this host's processes may still take: the least of MemAvailable and the room under each cgroup limit (v2 and
/// v1) above this process. `root` stands before /proc and /sys, so that recorded trees can be read. Zero when nothing
/// could be read.
Bytes available_host_memory(const std::filesystem::path& root = "/");

}  // namespace shakedown
