// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "report/gemm_sections.h"
#include "report/gemm_words.h"
#include "report/words.h"

namespace shakedown {
namespace {

/// "132 SMs x 4096 FLOPs/clock/SM"; empty when a part is not known.
std::string each_clock_text(const GemmPeak& peak, const GemmKind& kind) {
  if (!peak.per_clock || peak.units <= 0) return "";
  const bool one = peak.unit_name.empty() || peak.unit_name.back() != 's';
  const std::string unit = one ? peak.unit_name : peak.unit_name.substr(0, peak.unit_name.size() - 1);
  return fmt::format("{} {} x {:.6g} {}/clock/{}", peak.units, peak.units == 1 ? unit : peak.unit_name, *peak.per_clock,
                     rate_unit_of(kind.type) == "TOPS" ? "OPs" : "FLOPs", unit);
}

/// The clock that the datasheet's figure stands for, with as many decimals as the product needs to come out as printed.
std::string clock_behind(double datasheet, const GemmPeak& peak) {
  const double each_mhz = peak.at(1.0).value_or(0);
  std::string text;
  for (int decimals = 0; decimals <= 2; ++decimals) {
    text = fmt::format("{:.{}f}", datasheet / each_mhz, decimals);
    if (format_rate(std::stod(text) * each_mhz) == format_rate(datasheet)) break;
  }
  return text;
}

std::string source_text(const GemmPeak& peak) {
  if (!peak.datasheet_source.empty()) return one_line(peak.datasheet_source);
  return peak.estimated ? "our estimate" : "no source";
}

}  // namespace

std::string gemm_peak_text(const BestGemm& best, TextStyle style) {
  const GemmPeak& peak = best.peak;
  const std::string_view unit = rate_unit_of(best.kind.type);
  const std::string each = each_clock_text(peak, best.kind);
  std::string out;
  const auto say = [&](const std::string& line) { out += wrapped("- " + line, style.columns, "  "); };
  if (peak.datasheet) {
    const std::string formula =
        each.empty() ? "" : fmt::format("{} x {} MHz = ", each, clock_behind(*peak.datasheet, peak));
    say(fmt::format("peak: {}{} {} dense ({})", formula, format_rate(*peak.datasheet), unit, source_text(peak)));
  } else {
    say("peak of the datasheet: unknown");
  }
  const auto say_at = [&](std::string_view which, std::optional<double> clock_mhz) {
    const std::optional<double> most = peak.at(clock_mhz);
    say(most ? fmt::format("peak at {}: {} x {:.0f} MHz = {} {} dense{}", which, each, *clock_mhz, format_rate(*most),
                           unit, peak.estimated ? " (our estimate)" : "")
             : fmt::format("peak at {}: unknown", which));
  };
  say_at("the maximum clock", peak.max_clock_mhz);
  for (const auto* figure : {&best.burst, &best.sustained, &best.mamf_v2}) {
    if (*figure && (*figure)->clock_mhz && std::isfinite(*(*figure)->clock_mhz))
      say_at(fmt::format("the clock measured in {}", name_of((*figure)->mode)), (*figure)->clock_mhz);
  }
  if (!peak.note.empty()) say(one_line(peak.note));
  return out;
}

}  // namespace shakedown
