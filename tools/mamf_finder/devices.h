// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "options.h"

namespace shakedown {

/// The devices, by index, that a process measures of the `count` that it sees. A rank (`local_rank` is there) holds
/// one: that of its local rank, or the only one that it sees. Throws Unavailable that names those that are there, and
/// UsageError for a rank that is told otherwise.
std::vector<int> choose_devices(const DeviceChoice& choice, bool gpu, int count, std::optional<int> local_rank);

}  // namespace shakedown
