// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "report/gemm_sections.h"
#include "report/gemm_words.h"
#include "report/suite_rows.h"
#include "report/table.h"
#include "report/words.h"

namespace shakedown {
namespace {

std::string table_of(const SuiteSummary& suite, const std::vector<SuiteRow>& rows, bool color) {
  Table table;
  table.add_column("product", Table::Align::left);
  table.add_column("MxNxK", Table::Align::left);
  table.add_column("times a step", Table::Align::right);
  table.add_column(fmt::format("mean {}", rate_unit_of(suite.kind.type)), Table::Align::right);
  table.add_column("share of time", Table::Align::right);
  for (const SuiteRow& row : rows) {
    table.add_row({{row.entry->name},
                   {format_shape(row.entry->shape)},
                   {fmt::format("{:.10g}", row.entry->count)},
                   row.rate ? Cell{format_rate(*row.rate)} : Cell{"not measured", Ink::caution},
                   {row.of_time ? format_share(row.of_time) : "-"}});
  }
  table.fit();
  return table.render(color);
}

std::string figure_text(const SuiteSummary& suite, const std::vector<SuiteRow>& rows) {
  if (suite.harmonic_mean) {
    return fmt::format(
        "FLOP-weighted harmonic mean: {} {}: all operations over all time. It is the bar for this model's MFU (MAMFU): "
        "divide a training run's rate by it, and what is missing to 100 % is not the matrix products' fault.",
        format_rate(*suite.harmonic_mean), rate_unit_of(suite.kind.type));
  }
  const auto missing = std::count_if(rows.begin(), rows.end(), [](const SuiteRow& row) { return !row.rate; });
  return fmt::format("FLOP-weighted harmonic mean: unknown, since {} of {} not measured", missing,
                     counted(rows.size(), "product") + (missing == 1 ? " was" : " were"));
}

}  // namespace

std::string gemm_suite_text(const GemmReport& report, TextStyle style) {
  if (!report.suite) return "";
  const SuiteSummary& suite = *report.suite;
  const std::vector<SuiteRow> rows = suite_rows(suite, report.results);
  std::string title = fmt::format("Products of a step, {}, {}", describe(suite.kind), name_of(suite.mode));
  if (!suite.description.empty()) title += ": " + one_line(suite.description);
  return wrapped(title, style.columns) + "\n" + table_of(suite, rows, style.color) + "\n" +
         wrapped(figure_text(suite, rows), style.columns);
}

}  // namespace shakedown
