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

/// A table that reads well as plain text and as GitHub Markdown: pipes, columns padded to their widest cell.
class Table {
 public:
  enum class Align { left, right };

  void add_column(std::string title, Align align) { columns_.push_back({std::move(title), align}); }
  /// As many cells as there are columns.
  void add_row(std::vector<Cell> cells) { rows_.push_back(std::move(cells)); }
  /// Lines of equal width; the titles in bold where colour is.
  [[nodiscard]] std::string render(bool color) const;

 private:
  struct Column {
    std::string title;
    Align align;
  };
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace shakedown
