// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "report/gemm_sections.h"
#include "report/gemm_words.h"
#include "report/table.h"
#include "report/words.h"

namespace shakedown {
namespace {

/// "4.2 % below" the median.
std::string distance_text(double rate, double median) {
  const double percent = (rate / median - 1) * 100;
  if (!std::isfinite(percent)) return "far from";
  return fmt::format("{:.1f} % {}", std::abs(percent), percent < 0 ? "below" : "above");
}

std::string title_of(const DeviceSpread& spread) {
  const std::string_view unit = rate_unit_of(spread.kind.type);
  const double width = (spread.max - spread.min) / spread.median * 100;
  const std::string range = std::isfinite(width) ? fmt::format(" (range {:.1f} %)", width) : "";
  return fmt::format("Devices, {}, {}, {}, {}: min {}, median {}, max {} {}{}", describe(spread.kind),
                     name_of(spread.mode), format_shape(spread.shape),
                     spread.together ? "all at once" : "one after the other", format_rate(spread.min),
                     format_rate(spread.median), format_rate(spread.max), unit, range);
}

std::string table_of(const DeviceSpread& spread, bool color) {
  Table table;
  table.add_column("host", Table::Align::left);
  for (const char* title : {"rank", "GPU"}) table.add_column(title, Table::Align::right);
  table.add_column(std::string{rate_unit_of(spread.kind.type)}, Table::Align::right);
  table.add_column("MHz", Table::Align::right);
  for (const char* title : {"W", "C"}) table.add_column(title, Table::Align::right);
  table.add_column("outlier", Table::Align::left);
  table.add_column("PCI id", Table::Align::left);
  table.add_column("UUID", Table::Align::left);
  for (const DeviceReading& reading : spread.devices) {
    const Ink ink = reading.outlier ? Ink::bad : Ink::plain;
    table.add_row({{reading.host},
                   {std::to_string(reading.rank)},
                   {std::to_string(reading.device.index)},
                   {format_rate(reading.rate), ink},
                   {format_whole(reading.clock_mhz)},
                   {format_whole(reading.power_w)},
                   {format_whole(reading.temperature_c)},
                   {reading.outlier ? "yes" : "-", ink},
                   {reading.device.pci},
                   {reading.device.uuid}});
  }
  table.fit();
  return table.render(color);
}

std::string outliers_of(const DeviceSpread& spread, int columns) {
  std::string out;
  for (const DeviceReading& reading : spread.devices) {
    if (!reading.outlier) continue;
    const DeviceInfo& device = reading.device;
    // A CPU has no number of its own; its rank names it.
    const std::string who = device.uuid.empty()
                                ? fmt::format("rank {} on {}", reading.rank, one_line(reading.host))
                                : fmt::format("GPU {} of {} ({}, {})", device.index, one_line(reading.host),
                                              one_line(device.uuid), one_line(device.pci));
    out += wrapped(fmt::format("- outlier: {} is {} the median", who, distance_text(reading.rate, spread.median)),
                   columns, "  ");
  }
  return out;
}

}  // namespace

std::string gemm_spreads_text(const GemmReport& report, TextStyle style) {
  std::string out;
  for (const DeviceSpread& spread : report.spreads) {
    out += (out.empty() ? "" : "\n") + wrapped(title_of(spread), style.columns) + "\n" + table_of(spread, style.color) +
           outliers_of(spread, style.columns);
  }
  return out;
}

}  // namespace shakedown
