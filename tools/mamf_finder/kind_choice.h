// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engines.h"
#include "options.h"

namespace shakedown {

/// Which kinds a device measures, of those that were asked for.
struct KindChoice {
  std::vector<GemmKind> kinds;
  std::vector<std::pair<GemmKind, std::string>> refused;  ///< with the reason
  std::string remark;                                     ///< why the default is not the usual one; empty when it is
};

/// Asks the device about each kind. Throws Unavailable when it has none of them.
KindChoice choose_kinds(const Options& options, EngineSeat& seat, bool on_gpu);

/// "bfloat16", or "bfloat16; float8_e4m3fn, fast accumulation".
std::string describe(const std::vector<GemmKind>& kinds);

}  // namespace shakedown
