// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/sections.h"
#include "report/table.h"
#include "shakedown/base/size_text.h"

namespace shakedown {
namespace {

constexpr std::uint64_t transport_alignment = 16;  // the widest load of GPUs; other sizes leave the fast path

bool is_unaligned(const CollectiveRow& row) { return row.bytes.count % transport_alignment != 0; }

Bytes payload_of(const CollectiveRow& row) { return row.bytes.count > 0 ? row.bytes : row.bytes_requested; }

/// One slow iteration in twenty must show, hence the whole range and no percentiles.
std::string spread_of(const TimeStatistics& time) {
  const double percent = (time.max - time.min) / time.median * 100;
  if (time.samples < 2 || !std::isfinite(percent)) return "-";
  return fmt::format("{:.{}f}%", percent, percent < 99.95 ? 1 : 0);
}

Cell data_of(const CollectiveRow& row) {
  if (row.wrong.value_or(0) > 0) return {fmt::format("{} wrong", *row.wrong), Ink::bad};
  if (row.status == RowStatus::failed) return {"failed", Ink::bad};
  if (row.status == RowStatus::skipped) return {"skipped", Ink::caution};
  return row.checked && row.wrong ? Cell{"ok"} : Cell{"not checked"};
}

std::string straggler_of(const std::optional<Straggler>& straggler) {
  if (!straggler) return "-";
  return fmt::format("rank {} {}, {}", straggler->rank, straggler->host, format_time(straggler->lead_s));
}

std::vector<Cell> cells_of(const CollectiveRow& row, int decimals, bool with_straggler) {
  std::vector<Cell> cells{{(is_unaligned(row) ? "* " : "") + format_size(payload_of(row))}};
  if (row.time_s.samples > 0) {
    cells.push_back({row.busbw ? format_bandwidth(*row.busbw, decimals) : "-"});
    cells.push_back({format_bandwidth(row.algbw, decimals)});
    cells.push_back({format_time(row.time_s.median)});
    cells.push_back({spread_of(row.time_s)});
  } else {
    cells.insert(cells.end(), 4, Cell{"-"});
  }
  cells.push_back(data_of(row));
  if (with_straggler) cells.push_back({straggler_of(row.straggler)});
  return cells;
}

/// The widest payload, known before it is measured.
std::size_t payload_width(const CollectiveProtocol& protocol) {
  std::size_t width = 0;
  for (const Bytes size : protocol.sizes) {
    const Bytes moved{size.count - size.count % size_of(protocol.dtype)};
    width = std::max(width, width_of(format_size(moved)) + (moved.count % transport_alignment == 0 ? 0 : 2));
  }
  return width;
}

/// "rank 1023 node-a, 123.45 us" with the longest host name of the run.
std::size_t straggler_width(const RunContext& context) {
  std::size_t host = 0;
  for (const RankInfo& rank : context.ranks) host = std::max(host, width_of(one_line(rank.host)));
  return host + std::to_string(context.ranks.size()).size() + width_of("rank  , 123.45 us");
}

/// Neighbours that were left out for the same reason share a line.
std::string left_out_text(const std::vector<CollectiveRow>& rows, int columns) {
  std::string out;
  for (auto row = rows.begin(); row != rows.end();) {
    const auto end = std::find_if(row, rows.end(), [&](const CollectiveRow& other) {
      return other.status != row->status || other.reason != row->reason;
    });
    if (row->status != RowStatus::ok && row->time_s.samples == 0) {
      std::string payloads;
      for (auto other = row; other != end; ++other) {
        payloads += (payloads.empty() ? "" : ", ") + format_size(payload_of(*other));
      }
      const std::string reason = row->reason.empty() ? "no reason was given" : one_line(row->reason);
      out += wrapped(fmt::format("- {} {}: {}", payloads, name_of(row->status), reason), columns, "  ");
    }
    row = end;
  }
  return out;
}

std::string rounded_text(const std::vector<CollectiveRow>& rows, int columns) {
  std::string list;
  for (const CollectiveRow& row : rows) {
    if (row.time_s.samples == 0 || row.bytes == row.bytes_requested) continue;
    list +=
        fmt::format("{}{} to {}", list.empty() ? "" : ", ", format_size(row.bytes_requested), format_size(row.bytes));
  }
  return list.empty() ? "" : wrapped("- payloads rounded to whole elements: " + list, columns, "  ");
}

std::string unaligned_text(const std::vector<CollectiveRow>& rows, int columns) {
  if (std::none_of(rows.begin(), rows.end(), is_unaligned)) return "";
  return wrapped(
      "- payloads marked * are no multiple of 16 bytes and may take a slower path; compare them with the same size "
      "only",
      columns, "  ");
}

}  // namespace

int bandwidth_decimals(const CollectiveReport& report) { return report.context.backend == "cuda" ? 2 : 3; }

std::string heading_text(const CollectiveReport& report, TextStyle style) {
  const CollectiveProtocol& protocol = report.protocol;
  const std::string what =
      fmt::format("{} of {} {}s over {} on {}, {} backend,", protocol.collective, name_of(protocol.dtype), protocol.op,
                  counted(report.context.ranks.size(), "rank"), counted(host_count(report.context), "host"),
                  report.context.backend);
  const std::string how =
      fmt::format("{}, timing {}, {} + {} a row, data {}", protocol.in_place ? "in place" : "out of place",
                  name_of(protocol.timing), counted(static_cast<std::uint64_t>(protocol.warmups), "warm-up"),
                  counted(static_cast<std::uint64_t>(protocol.iterations), "iteration"),
                  protocol.check ? "checked" : "not checked");
  const std::string line = what + " " + how;
  if (width_of(line) <= static_cast<std::size_t>(std::max(style.columns, 0))) return line + "\n";
  return wrapped(what, style.columns) + wrapped(how, style.columns);
}

std::string table_text(const CollectiveReport& report, TextStyle style) {
  const bool with_straggler = report.protocol.timing == Timing::blocking && report.context.ranks.size() > 1;
  Table table;
  table.add_column("payload", Table::Align::right, payload_width(report.protocol));
  table.add_column("busbw GB/s", Table::Align::right);
  table.add_column("algbw GB/s", Table::Align::right);
  table.add_column("time", Table::Align::right, width_of("123.45 us"));
  table.add_column("spread", Table::Align::right);
  table.add_column("data", Table::Align::left, report.protocol.check ? width_of("12 wrong") : width_of("not checked"));
  if (with_straggler) table.add_column("straggler", Table::Align::left, straggler_width(report.context));
  const int decimals = bandwidth_decimals(report);
  for (const CollectiveRow& row : report.rows) table.add_row(cells_of(row, decimals, with_straggler));
  return table.render(style.color);
}

std::string row_notes_text(const CollectiveReport& report, TextStyle style) {
  if (report.rows.empty()) return "No payload was measured.\n";
  return left_out_text(report.rows, style.columns) + rounded_text(report.rows, style.columns) +
         unaligned_text(report.rows, style.columns);
}

std::string wrong_data_text(const CollectiveReport& report, TextStyle style) {
  std::string out;
  for (const CollectiveRow& row : report.rows) {
    if (row.wrong.value_or(0) == 0) continue;
    std::string line = fmt::format("- {}: {}", format_size(payload_of(row)), counted(*row.wrong, "wrong element"));
    if (const auto& first = row.first_wrong) {
      line += fmt::format("; the first on rank {} ({}), element {}, {}: got {}, expected {}", first->rank,
                          one_line(first->host), first->index, one_line(first->when), first->got, first->expected);
    }
    out += wrapped(line, style.columns, "  ");
  }
  return out.empty() ? out : painted("Wrong data:", Ink::bad, style.color) + "\n" + out;
}

}  // namespace shakedown
