// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace shakedown {

/// Names of NVML's clock event reasons: "sw_power_cap", "hw_slowdown", ... Idle is no reason; a bit without a name is
/// told by its number.
std::vector<std::string> throttle_names(std::uint64_t reasons);

}  // namespace shakedown
