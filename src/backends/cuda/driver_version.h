// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shakedown {

/// "580.65.06" out of the text of /proc/driver/nvidia/version; empty when there is none in it.
std::string driver_version_in(const std::string& text);

/// Of the driver that runs now; empty when nobody tells.
std::string driver_version();

}  // namespace shakedown
