// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "report/words.h"

namespace shakedown {

/// What stands in one place of a table.
struct Cell {
  std::string text;
  Ink ink{Ink::plain};
};

/// A table that reads well as plain text and as GitHub Markdown: pipes, and columns of a width that is known before the
/// rows are, so that rows can be printed as they come. A cell that is wider stands out.
class Table {
 public:
  enum class Align { left, right };

  /// `width` of its cells; the title's when that is wider.
  void add_column(std::string title, Align align, std::size_t width = 0);
  /// Widens the columns to their cells, for a table that is printed whole.
  void fit();
  /// As many cells as there are columns.
  void add_row(std::vector<Cell> cells) { rows_.push_back(std::move(cells)); }
  /// Lines of equal width; the titles in bold where colour is.
  [[nodiscard]] std::string render(bool color) const;

 private:
  struct Column {
    std::string title;
    Align align;
    std::size_t width;
  };
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace shakedown
