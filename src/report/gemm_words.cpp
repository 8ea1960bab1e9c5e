// SPDX-License-Identifier: Apache-2.0
#include "report/gemm_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "report/words.h"

namespace shakedown {
namespace {

/// One reason that holds a clock down, as Telemetry names it.
struct ThrottleReason {
  std::string_view id, word, text;
  bool normal;  ///< under load, on a healthy chip
};

constexpr std::array<ThrottleReason, 8> throttle_reasons{{
    {"sw_power_cap", "power", "held by the power cap (normal under load)", true},
    {"sw_thermal", "heat", "slowed down by heat (look at cooling)", false},
    {"hw_thermal", "heat", "slowed down by the hardware's heat protection (look at cooling)", false},
    {"hw_power_brake", "brake", "slowed down by the power brake (look at the node's power supply)", false},
    {"hw_slowdown", "hw", "slowed down by the hardware (heat, or the node's power supply)", false},
    {"applications_clocks", "set", "held by an application clock that somebody set", false},
    {"sync_boost", "sync", "held to the clock of another GPU (sync boost)", false},
    {"display_clock", "display", "held by the display's clock", false},
}};

const ThrottleReason* find(const std::string& id) {
  const auto found = std::find_if(throttle_reasons.begin(), throttle_reasons.end(),
                                  [&](const ThrottleReason& reason) { return reason.id == id; });
  return found == throttle_reasons.end() ? nullptr : &*found;
}

/// Each once, in order.
template <class Text>
std::string joined(const std::vector<std::string>& reasons, std::string_view separator, const Text& text) {
  std::vector<std::string> said;
  std::string out;
  for (const std::string& reason : reasons) {
    const std::string words = text(reason);
    if (std::find(said.begin(), said.end(), words) != said.end()) continue;
    if (!said.empty()) out += separator;
    out += words;
    said.push_back(words);
  }
  return out;
}

std::string_view sum_of(const GemmKind& kind) {
  if (kind.accumulation == Accumulation::half) return "float16";
  if (kind.type == GemmType::float64) return "float64";
  return kind.type == GemmType::int8 ? "int32" : "float32";
}

}  // namespace

std::string format_rate(double rate) {
  if (!std::isfinite(rate)) return "n/a";
  if (!(rate > 0)) return fmt::format("{:.1f}", rate);
  const int decimals = std::clamp(3 - static_cast<int>(std::floor(std::log10(rate))), 1, 9);
  return fmt::format("{:.{}f}", rate, decimals);
}

std::string format_interval(const RateStatistics& rate) {
  if (!rate.ci95_low || !rate.ci95_high) return "-";
  return format_rate(*rate.ci95_low) + "-" + format_rate(*rate.ci95_high);
}

std::string format_share(std::optional<double> fraction) {
  return fraction && std::isfinite(*fraction) ? fmt::format("{:.1f} %", *fraction * 100) : "unknown";
}

std::string format_whole(std::optional<double> value) {
  return value && std::isfinite(*value) ? fmt::format("{:.0f}", *value) : "-";
}

std::string kind_text(const GemmKind& kind) {
  const std::string fast = kind.accumulation == Accumulation::fast ? "fast " : "";
  return fmt::format("{} (output {}, {}{} accumulation, {})", name_of(kind.type), output_name_of(kind.type), fast,
                     sum_of(kind), name_of(kind.layout));
}

std::string place_text(const std::string& host, const std::optional<DeviceInfo>& device) {
  if (!device) return one_line(host);
  return fmt::format("{}{}GPU {}", one_line(host), host.empty() ? "" : " ", device->index);
}

std::string throttle_text(const std::vector<std::string>& reasons) {
  return joined(reasons, "; ", [](const std::string& id) {
    const ThrottleReason* reason = find(id);
    return reason != nullptr ? std::string{reason->text} : "held by " + one_line(id);
  });
}

std::string throttle_word(const std::vector<std::string>& reasons) {
  const std::string words = joined(reasons, "+", [](const std::string& id) {
    const ThrottleReason* reason = find(id);
    return reason != nullptr ? std::string{reason->word} : one_line(id);
  });
  return words.empty() ? "-" : words;
}

bool is_degraded(const std::vector<std::string>& reasons) {
  return std::any_of(reasons.begin(), reasons.end(), [](const std::string& id) {
    const ThrottleReason* reason = find(id);
    return reason == nullptr || !reason->normal;
  });
}

}  // namespace shakedown
