// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "report/gemm_sections.h"
#include "report/gemm_words.h"
#include "report/table.h"
#include "report/words.h"

namespace shakedown {
namespace {

/// A product that nobody looked at may be no product at all.
bool is_unverified(const GemmResult& result) { return result.status == RowStatus::ok && !result.verified; }

/// Which columns there are; known before the first row.
struct Columns {
  explicit Columns(const GemmReport& report)
      : kind(report.protocol.kinds.size() > 1),
        device(report.context.ranks.size() > 1),
        sensors(report.context.backend != "cpu") {}
  bool kind, device, sensors;
};

/// "float8_e4m3fn fast NN": describe() in fewer columns.
std::string short_kind(const GemmKind& kind) {
  std::string text{name_of(kind.type)};
  if (kind.accumulation != Accumulation::standard) text += fmt::format(" {}", name_of(kind.accumulation));
  if (kind.layout != GemmLayout::tn) text += fmt::format(" {}", name_of(kind.layout));
  return text;
}

std::size_t widest_kind(const GemmProtocol& protocol) {
  std::size_t width = 0;
  for (const GemmKind& kind : protocol.kinds) width = std::max(width, short_kind(kind).size());
  return width;
}

std::size_t widest_place(const RunContext& context) {
  std::size_t width = 0;
  for (const RankInfo& rank : context.ranks) width = std::max(width, width_of(place_text(rank.host, rank.device)));
  return width;
}

Cell mean_cell(const GemmResult& result) {
  if (result.status == RowStatus::skipped) return {"skipped", Ink::caution};
  if (result.status == RowStatus::failed) return {"failed", Ink::bad};
  return {format_rate(result.rate.mean)};
}

void add_rates(const GemmResult& result, std::vector<Cell>& cells) {
  cells.push_back(mean_cell(result));
  if (result.status == RowStatus::ok) {
    cells.push_back({format_rate(result.rate.median), Ink::bold});
    cells.push_back({format_rate(result.rate.max)});
    cells.push_back({format_interval(result.rate)});
  } else {
    cells.insert(cells.end(), 3, Cell{"-"});
  }
}

/// A kind that the device does not have is one skipped row, without a shape.
bool is_whole_kind(const GemmResult& result) { return result.shape == GemmShape{}; }

/// Libraries' names of algorithms are long, so that rows hold a letter for each, in the order in which they first come.
class AlgorithmKey {
 public:
  explicit AlgorithmKey(const std::vector<GemmResult>& results) {
    for (const GemmResult& result : results)
      if (!result.algorithm.empty() && std::find(names_.begin(), names_.end(), result.algorithm) == names_.end())
        names_.push_back(result.algorithm);
  }
  [[nodiscard]] std::string label(const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    return found == names_.end() ? "-" : label(static_cast<std::size_t>(found - names_.begin()));
  }
  [[nodiscard]] std::string lines(int columns) const {
    std::string out;
    for (std::size_t i = 0; i < names_.size(); ++i)
      out += wrapped(fmt::format("- algorithm {}: {}", label(i), one_line(names_[i])), columns, "  ");
    return out;
  }

 private:
  /// A to Z, then A2 to Z2, ...
  static std::string label(std::size_t index) {
    constexpr std::size_t letters = 26;
    const std::string letter(1, static_cast<char>('A' + index % letters));
    return index < letters ? letter : fmt::format("{}{}", letter, index / letters + 1);
  }
  std::vector<std::string> names_;
};

std::vector<Cell> cells_of(const GemmResult& result, std::size_t number, const Columns& columns,
                           const AlgorithmKey& key) {
  std::vector<Cell> cells{{fmt::format("{}", number)}};
  if (columns.kind) cells.push_back({short_kind(result.kind)});
  if (columns.device) cells.push_back({place_text(result.host, result.device)});
  cells.push_back({std::string{name_of(result.mode)}});
  add_rates(result, cells);
  cells.push_back({(is_unverified(result) ? "* " : "") + (is_whole_kind(result) ? "-" : format_shape(result.shape))});
  cells.push_back({format_whole(result.clock_mhz)});
  if (columns.sensors) {
    cells.push_back({format_whole(result.power_w)});
    cells.push_back({format_whole(result.temperature_c)});
    cells.push_back({throttle_word(result.throttle), is_degraded(result.throttle) ? Ink::caution : Ink::plain});
  }
  cells.push_back({key.label(result.algorithm)});
  return cells;
}

/// "2048x4096x15360, 1024x1024x1024 and 12 more".
std::string shape_list(const std::vector<const GemmResult*>& results) {
  constexpr std::size_t most = 6;
  std::string list;
  for (std::size_t i = 0; i < std::min(results.size(), most); ++i)
    list += (i == 0 ? "" : ", ") + (is_whole_kind(*results[i]) ? "every shape" : format_shape(results[i]->shape));
  return results.size() > most ? fmt::format("{} and {} more", list, results.size() - most) : list;
}

/// A line for each different text that `text` gives; results that it gives none for are left out.
std::string grouped_lines(const std::vector<GemmResult>& results, int columns,
                          const std::function<std::string(const GemmResult&)>& text) {
  std::vector<std::pair<std::string, std::vector<const GemmResult*>>> groups;
  for (const GemmResult& result : results) {
    const std::string words = text(result);
    if (words.empty()) continue;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const auto& other) { return other.first == words; });
    if (group == groups.end()) group = groups.insert(groups.end(), {words, {}});
    group->second.push_back(&result);
  }
  std::string out;
  for (const auto& [words, members] : groups)
    out += wrapped(fmt::format("- {}{}", shape_list(members), words), columns, "  ");
  return out;
}

std::string left_out(const GemmResult& result) {
  if (result.status == RowStatus::ok) return "";
  const std::string reason = result.reason.empty() ? "no reason was given" : one_line(result.reason);
  return fmt::format(" {}: {}", name_of(result.status), reason);
}

std::string remark(const GemmResult& result) {
  return result.remark.empty() ? "" : fmt::format(" in {}: {}", name_of(result.mode), one_line(result.remark));
}

}  // namespace

std::string gemm_table_text(const GemmReport& report, TextStyle style) {
  const Columns columns(report);
  Table table;
  table.add_column("n", Table::Align::right, std::to_string(report.protocol.shapes).size());
  if (columns.kind) table.add_column("product", Table::Align::left, widest_kind(report.protocol));
  if (columns.device) table.add_column("device", Table::Align::left, widest_place(report.context));
  table.add_column("mode", Table::Align::left, width_of("sustained"));
  table.add_column("mean", Table::Align::right, width_of("skipped"));
  table.add_column("median", Table::Align::right);
  table.add_column("max", Table::Align::right, width_of("1234.5"));
  table.add_column("95 %", Table::Align::right, width_of("1234.5-1234.5"));
  table.add_column("@ MxNxK", Table::Align::left, width_of("12345x12345x12345"));
  table.add_column("MHz", Table::Align::right, 4);
  if (columns.sensors) {
    table.add_column("W", Table::Align::right);
    table.add_column("C", Table::Align::right);
    table.add_column("held", Table::Align::left, width_of("power"));
  }
  table.add_column("algorithm", Table::Align::left);
  const AlgorithmKey key(report.results);
  for (std::size_t i = 0; i < report.results.size(); ++i)
    table.add_row(cells_of(report.results[i], i + 1, columns, key));
  return table.render(style.color);
}

std::string gemm_row_notes_text(const GemmReport& report, TextStyle style) {
  if (report.results.empty()) return "No product was measured.\n";
  std::string out = grouped_lines(report.results, style.columns, left_out);
  if (std::any_of(report.results.begin(), report.results.end(), is_unverified))
    out +=
        wrapped("- shapes marked * were not verified: nobody checked that the product is right", style.columns, "  ");
  out += grouped_lines(report.results, style.columns, remark);
  return out + AlgorithmKey(report.results).lines(style.columns);
}

}  // namespace shakedown
