// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "report/gemm_sections.h"
#include "report/gemm_words.h"
#include "report/table.h"
#include "report/words.h"

namespace shakedown {
namespace {

std::vector<const GemmResult*> figures_of(const BestGemm& best) {
  std::vector<const GemmResult*> figures;
  for (const auto* figure : {&best.burst, &best.sustained, &best.mamf_v2}) {
    if (*figure) figures.push_back(&**figure);
  }
  return figures;
}

/// "1980 MHz, 412 W, 45 C"; what is not known is left out.
std::string sensors_text(const GemmResult& result) {
  std::string text;
  const auto add = [&](std::optional<double> value, std::string_view unit) {
    if (value && std::isfinite(*value)) text += fmt::format("{}{:.0f} {}", text.empty() ? "" : ", ", *value, unit);
  };
  add(result.clock_mhz, "MHz");
  add(result.power_w, "W");
  add(result.temperature_c, "C");
  return text.empty() ? "clock, power and temperature unknown" : text;
}

/// Empty where the printed digits would be zero.
std::string drift_text(const GemmResult& result) {
  const double percent = result.drift_per_s.value_or(0) * 100;
  if (!std::isfinite(percent) || std::abs(percent) < 0.05) return "";
  return fmt::format("the rate still {} by {:.1f} % a second", percent < 0 ? "fell" : "rose", std::abs(percent));
}

std::string verified_text(const GemmResult& result) {
  if (!result.verified) return "not verified: nobody checked that the product is right";
  return *result.verified ? "verified" : "WRONG product";
}

/// What stands behind one headline figure.
std::string details_text(const GemmResult& result) {
  std::string line = fmt::format("- {}: {}", name_of(result.mode), sensors_text(result));
  for (const std::string& part :
       {throttle_text(result.throttle), drift_text(result), verified_text(result), one_line(result.algorithm)}) {
    if (!part.empty()) line += "; " + part;
  }
  line += fmt::format("; {} of {}", counted(result.time_s.samples, "sample"),
                      counted(static_cast<std::uint64_t>(std::max(result.calls_per_sample, 0)), "product"));
  return result.remark.empty() ? line : line + "; " + one_line(result.remark);
}

std::string figures_table(const BestGemm& best, bool color) {
  Table table;
  table.add_column("best", Table::Align::left);
  table.add_column(std::string{rate_unit_of(best.kind.type)}, Table::Align::right);
  table.add_column("95 %", Table::Align::right);
  table.add_column("@ MxNxK", Table::Align::left);
  for (const char* title : {"of datasheet", "of max clock", "of measured clock"})
    table.add_column(title, Table::Align::right);
  for (const GemmResult* result : figures_of(best)) {
    const Efficiency efficiency = efficiency_of(*result, best.peak);
    table.add_row({{std::string{name_of(result->mode)}},
                   {format_rate(result->rate.median), Ink::bold},
                   {format_interval(result->rate)},
                   {format_shape(result->shape)},
                   {format_share(efficiency.of_datasheet)},
                   {format_share(efficiency.of_max_clock)},
                   {format_share(efficiency.of_measured_clock)}});
  }
  table.fit();
  return table.render(color);
}

std::string title_of(const BestGemm& best) {
  const std::string place = place_text(best.host, best.device);
  const std::string chip = best.device ? one_line(best.device->name) : "the CPU";
  return fmt::format("Best of {} on {}{}:", describe(best.kind), chip, place.empty() ? "" : " (" + place + ")");
}

std::string block_of(const BestGemm& best, TextStyle style) {
  const std::vector<const GemmResult*> figures = figures_of(best);
  if (figures.empty()) return painted(title_of(best), Ink::bold, style.color) + " nothing was measured whole\n";
  std::string out = painted(title_of(best), Ink::bold, style.color) + "\n\n" + figures_table(best, style.color) + "\n";
  for (const GemmResult* result : figures) out += wrapped(details_text(*result), style.columns, "  ");
  return out + gemm_peak_text(best, style);
}

}  // namespace

std::string gemm_best_text(const GemmReport& report, TextStyle style) {
  std::string out;
  for (const BestGemm& best : report.best) out += (out.empty() ? "" : "\n") + block_of(best, style);
  return out;
}

}  // namespace shakedown
