// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/sections.h"
#include "report/table.h"
#include "shakedown/base/size_text.h"
#include "shakedown/math/bandwidth.h"

namespace shakedown {
namespace {

/// One iteration as bandwidth.
struct Point {
  double seconds;
  BytesPerSecond algbw;
  std::optional<BytesPerSecond> busbw;
  [[nodiscard]] BytesPerSecond shown() const { return busbw.value_or(algbw); }
};

std::vector<Point> points_of(const CollectiveRow& row, int ranks) {
  std::vector<Point> points;
  for (const double seconds : row.samples_s) {
    const BytesPerSecond algbw = algorithm_bandwidth(row.bytes, Seconds{seconds});
    points.push_back({seconds, algbw, all_reduce_bus_bandwidth(algbw, ranks)});
  }
  return points;
}

std::string bar(double fraction, int width) {
  if (!std::isfinite(fraction)) return "";
  return std::string(static_cast<std::size_t>(std::lround(std::clamp(fraction, 0.0, 1.0) * width)), '#');
}

/// How long the longest bar is, and what it stands for.
struct Plot {
  std::string title;
  double top{};
  int width{};  ///< zero for none
};

std::string table_of(const std::vector<Point>& points, int decimals, const Plot& plot, bool color) {
  Table table;
  for (const char* title : {"iteration", "busbw GB/s", "algbw GB/s"}) table.add_column(title, Table::Align::right);
  table.add_column("time", Table::Align::right, width_of("123.45 us"));
  if (plot.width > 0) table.add_column(plot.title, Table::Align::left, static_cast<std::size_t>(plot.width));
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Point& point = points[i];
    std::vector<Cell> cells{{fmt::format("{}", i + 1)},
                            {point.busbw ? format_bandwidth(*point.busbw, decimals) : "-"},
                            {format_bandwidth(point.algbw, decimals)},
                            {format_time(point.seconds)}};
    if (plot.width > 0) cells.push_back({bar(point.shown().value / plot.top, plot.width)});
    table.add_row(std::move(cells));
  }
  return table.render(color);
}

Plot plot_of(const std::vector<Point>& points, int decimals, int columns) {
  constexpr int frame = 3;     // a space, a space and a pipe
  constexpr int longest = 50;  // a longer bar tells no more
  Plot plot;
  for (const Point& point : points) {
    if (std::isfinite(point.shown().value)) plot.top = std::max(plot.top, point.shown().value);
  }
  const char* name = points.front().busbw ? "busbw" : "algbw";
  plot.title = fmt::format("{}, 0 to {} GB/s", name, format_bandwidth({plot.top}, decimals));
  const auto numbers = static_cast<int>(table_of(points, decimals, {}, false).find('\n'));
  const int room = columns - numbers - frame;
  // Bars narrower than their title would be too short to tell a dip.
  plot.width = room < static_cast<int>(plot.title.size()) ? 0 : std::min(room, longest);
  return plot;
}

std::string row_text(const CollectiveRow& row, int ranks, int decimals, TextStyle style) {
  const std::vector<Point> points = points_of(row, ranks);
  const Plot plot = plot_of(points, decimals, style.columns);
  const std::string heading = fmt::format("Iterations of {}:", format_size(row.bytes));
  return painted(heading, Ink::bold, style.color) + "\n\n" + table_of(points, decimals, plot, style.color);
}

}  // namespace

std::string profile_text(const CollectiveReport& report, TextStyle style) {
  if (!report.profile) return "";
  std::string out;
  const int ranks = static_cast<int>(report.context.ranks.size());
  for (const CollectiveRow& row : report.rows) {
    if (row.samples_s.empty()) continue;
    out += (out.empty() ? "" : "\n") + row_text(row, ranks, bandwidth_decimals(report), style);
  }
  return out;
}

}  // namespace shakedown
