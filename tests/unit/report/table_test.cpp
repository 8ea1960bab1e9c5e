// SPDX-License-Identifier: Apache-2.0
#include "report/table.h"

#include <gtest/gtest.h>

namespace shakedown {
namespace {

TEST(Table, PadsToTheWidestCell) {
  Table table;
  table.add_column("n", Table::Align::right);
  table.add_column("name", Table::Align::left);
  table.add_row({{"12345"}, {"a"}});
  table.add_row({{"1"}, {"größer"}});
  EXPECT_EQ(table.render(false),
            "|     n | name   |\n"
            "| ----: | :----- |\n"
            "| 12345 | a      |\n"
            "|     1 | größer |\n");
}

TEST(Table, APipeInACellStartsNoOther) {
  Table table;
  table.add_column("x", Table::Align::left);
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
