// SPDX-License-Identifier: Apache-2.0
#include "report/table.h"

#include <algorithm>

namespace shakedown {
namespace {

/// A pipe inside a cell would start another one.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : one_line(text)) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string padded(const std::string& text, Ink ink, std::size_t width, Table::Align align, bool color) {
  const std::string space(width - std::min(width, width_of(text)), ' ');
  const std::string shown = painted(text, ink, color);
  return align == Table::Align::right ? space + shown : shown + space;
}

std::string rule(std::size_t width, Table::Align align) {
  return align == Table::Align::right ? std::string(width - 1, '-') + ':' : ':' + std::string(width - 1, '-');
}

}  // namespace

void Table::add_column(std::string title, Align align, std::size_t width) {
  const std::size_t least = std::max<std::size_t>(width_of(title), 3);  // Markdown wants a rule of three
  columns_.push_back({std::move(title), align, std::max(width, least)});
}

void Table::fit() {
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < columns_.size(); ++i)
      columns_[i].width = std::max(columns_[i].width, width_of(escaped(row[i].text)));
  }
}

std::string Table::render(bool color) const {
  std::string titles;
  std::string rules;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    titles += "| " + padded(columns_[i].title, Ink::bold, columns_[i].width, columns_[i].align, color) + ' ';
    rules += "| " + rule(columns_[i].width, columns_[i].align) + ' ';
  }
  std::string out = titles + "|\n" + rules + "|\n";
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      out += "| " + padded(escaped(row[i].text), row[i].ink, columns_[i].width, columns_[i].align, color) + ' ';
    }
    out += "|\n";
  }
  return out;
}

}  // namespace shakedown
