// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

#include "shakedown/base/units.h"

namespace shakedown {

/// What this host's processes may still take: the least of MemAvailable and the room under each cgroup limit (v2 and
/// v1) above this process. `root` stands before /proc and /sys, so that recorded trees can be read. Zero when nothing
/// could be read.
Bytes available_host_memory(const std::filesystem::path& root = "/");

}  // namespace shakedown
