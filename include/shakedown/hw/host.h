// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace shakedown {

/// gethostname; never a look-up.
std::string host_name();

/// /proc/sys/kernel/random/boot_id; empty when unreadable. Host name and boot id together identify a running kernel.
std::string boot_id(const std::filesystem::path& root = "/");

}  // namespace shakedown
