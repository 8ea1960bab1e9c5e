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
  const std::string space(width - width_of(text), ' ');
  const std::string shown = painted(text, ink, color);
  return align == Table::Align::right ? space + shown : shown + space;
}

std::string rule(std::size_t width, Table::Align align) {
  return align == Table::Align::right ? std::string(width - 1, '-') + ':' : ':' + std::string(width - 1, '-');
}

}  // namespace

std::string Table::render(bool color) const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    std::size_t width = std::max<std::size_t>(width_of(columns_[i].title), 3);
    for (const auto& row : rows_) width = std::max(width, width_of(escaped(row[i].text)));
    widths.push_back(width);
  }
  std::string titles;
  std::string rules;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    titles += "| " + padded(columns_[i].title, Ink::bold, widths[i], columns_[i].align, color) + ' ';
    rules += "| " + rule(widths[i], columns_[i].align) + ' ';
  }
  std::string out = titles + "|\n" + rules + "|\n";
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      out += "| " + padded(escaped(row[i].text), row[i].ink, widths[i], columns_[i].align, color) + ' ';
    }
    out += "|\n";
  }
  return out;
}

}  // namespace shakedown
