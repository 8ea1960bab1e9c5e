// SPDX-License-Identifier: Apache-2.0
#include "report/table.h"

#include <gtest/gtest.h>

namespace shakedown {
namespace {

TEST(Table, PadsToTheColumnsWidthAndLetsAWiderCellStandOut) {
  Table table;
  table.add_column("n", Table::Align::right, 5);
  table.add_column("name", Table::Align::left, 6);
  table.add_row({{"12345"}, {"a"}});
  table.add_row({{"1"}, {"größer"}});
  EXPECT_EQ(table.render(false),
            "|     n | name   |\n"
            "| ----: | :----- |\n"
            "| 12345 | a      |\n"
            "|     1 | größer |\n");
  table.add_row({{"1234567"}, {"b"}});
  EXPECT_NE(table.render(false).find("| 1234567 | b      |\n"), std::string::npos);
}

TEST(Table, APipeInACellStartsNoOther) {
  Table table;
  table.add_column("x", Table::Align::left, 4);
  table.add_row({{"a|b"}});
  EXPECT_EQ(table.render(false), "| x    |\n| :--- |\n| a\\|b |\n");
}

TEST(Table, ColorDoesNotCountAsWidth) {
  Table table;
  table.add_column("x", Table::Align::right);
  table.add_row({{"ok", Ink::good}});
  EXPECT_EQ(table.render(true), "|   \x1b[1mx\x1b[0m |\n| --: |\n|  \x1b[32mok\x1b[0m |\n");
}

}  // namespace
}  // namespace shakedown
