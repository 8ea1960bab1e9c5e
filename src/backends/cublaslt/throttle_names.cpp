// SPDX-License-Identifier: Apache-2.0
#include "backends/cublaslt/throttle_names.h"

#include <fmt/format.h>

#include <array>

namespace shakedown {
namespace {

/// nvmlClocksEventReason* of nvml.h.
struct Reason {
  std::uint64_t bit;
  const char* name;
};
constexpr std::array<Reason, 8> known{{
    {0x2, "applications_clocks"},
    {0x4, "sw_power_cap"},
    {0x8, "hw_slowdown"},
    {0x10, "sync_boost"},
    {0x20, "sw_thermal"},
    {0x40, "hw_thermal"},
    {0x80, "hw_power_brake"},
    {0x100, "display_clock"},
}};
constexpr std::uint64_t idle = 0x1;

}  // namespace

std::vector<std::string> throttle_names(std::uint64_t reasons) {
  std::vector<std::string> names;
  std::uint64_t left = reasons & ~idle;
  for (const Reason& reason : known) {
    if ((left & reason.bit) == 0) continue;
    names.emplace_back(reason.name);
    left &= ~reason.bit;
  }
  if (left != 0) names.push_back(fmt::format("reason {:#x}", left));
  return names;
}

}  // namespace shakedown
