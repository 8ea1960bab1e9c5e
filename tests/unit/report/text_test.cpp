// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "report/words.h"
#include "shakedown/report/render.h"
#include "unit/report/golden_file.h"
#include "unit/report/sample_reports.h"

namespace shakedown {
namespace {

using Make = CollectiveReport (*)();

struct Golden {
  const char* name;
  Make make;
  TextStyle style;
};

class GoldenReport : public testing::TestWithParam<Golden> {};

TEST_P(GoldenReport, IsTheSameByteForByte) {
  const std::string text = render_text(GetParam().make(), GetParam().style);
  EXPECT_EQ(text, golden_text(GetParam().name, text));
}

TEST_P(GoldenReport, HasNoTrailingSpacesAndNoControlCharacters) {
  std::istringstream lines(render_text(GetParam().make(), GetParam().style));
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(line.empty() || line.back() != ' ') << '"' << line << '"';
    EXPECT_EQ(one_line(line) == line, !GetParam().style.color || line.find('\x1b') == std::string::npos) << line;
  }
}

std::string label(const testing::TestParamInfo<Golden>& golden) { return golden.param.name; }

INSTANTIATE_TEST_SUITE_P(
    All, GoldenReport,
    testing::Values(Golden{"two_ranks", samples::two_ranks, {}}, Golden{"one_rank", samples::one_rank, {}},
                    Golden{"straggler", samples::straggler, {}}, Golden{"wrong_data", samples::wrong_data, {}},
                    Golden{"odd_rows", samples::odd_rows, {}}, Golden{"interrupted", samples::interrupted, {}},
                    Golden{"profile", samples::profile, {}}, Golden{"profile_narrow", samples::profile, {false, 60}},
                    Golden{"wrong_data_color", samples::wrong_data, {true, 100}}),
    label);

TEST(TextReport, ColorAddsEscapesAndNothingElse) {
  for (const Make make :
       {samples::two_ranks, samples::straggler, samples::wrong_data, samples::odd_rows, samples::interrupted}) {
    const std::string colored = render_text(make(), {true, 100});
    std::string stripped;
    for (std::size_t i = 0; i < colored.size(); ++i) {
      if (colored[i] == '\x1b') {
        i = colored.find('m', i);
      } else {
        stripped += colored[i];
      }
    }
    EXPECT_NE(colored, stripped);
    EXPECT_EQ(stripped, render_text(make(), {false, 100}));
  }
}

TEST(TextReport, ProseAndPlotKeepToTheColumns) {
  for (const int columns : {70, 80, 100, 160}) {
    std::istringstream lines(render_text(samples::profile(), {false, columns}));
    for (std::string line; std::getline(lines, line);)
      EXPECT_LE(width_of(line), static_cast<std::size_t>(columns)) << line;
  }
}

TEST(TextReport, TheTableGrowsAtItsEndAlone) {
  for (const Make make : {samples::two_ranks, samples::straggler, samples::wrong_data, samples::odd_rows}) {
    CollectiveReport report = make();
    std::string later = render_text(report, {});
    while (true) {
      const std::string table = render_table(report, {});
      EXPECT_EQ(later.substr(0, table.size()), table);
      if (report.rows.empty()) break;
      report.rows.pop_back();
      later = table;
    }
  }
}

TEST(TextReport, BinarySizesAndDecimalBandwidth) {
  CollectiveReport report = samples::two_ranks();
  report.rows = {samples::row(Bytes{1073741824}, 2, {1.0})};
  EXPECT_NE(render_text(report, {}).find("|   1 GiB |      1.074 |      1.074 |    1.00 s |      - | ok       |"),
            std::string::npos)
      << render_text(report, {});
}

TEST(TextReport, ZeroWrongIsNotTheSameAsNotChecked) {
  CollectiveReport report = samples::two_ranks();
  EXPECT_EQ(render_text(report, {}).find("| not checked |"), std::string::npos);
  report.rows[1].checked = false;
  report.rows[1].wrong.reset();
  EXPECT_NE(render_text(report, {}).find("| not checked |"), std::string::npos);
}

TEST(TextReport, NumbersThatAreNoneAreNotShownAsNumbers) {
  CollectiveReport report = samples::two_ranks();
  report.rows[0].algbw = report.rows[1].algbw = BytesPerSecond{std::numeric_limits<double>::infinity()};
  report.rows[0].busbw = BytesPerSecond{std::numeric_limits<double>::quiet_NaN()};
  report.rows[0].time_s.median = 0;
  const std::string text = render_text(report, {});
  EXPECT_NE(text.find("n/a"), std::string::npos);
  EXPECT_EQ(text.find("inf"), std::string::npos) << text;
  EXPECT_EQ(text.find(" nan"), std::string::npos) << text;
}

TEST(TextReport, OutsideTextCannotMoveTheCursor) {
  CollectiveReport report = samples::interrupted();
  report.header.notes = "a\x1b[2Jb\nc";
  report.context.environment = {{"NCCL_DEBUG", "x\r\ny"}};
  report.context.ranks[1].host = "node\x07";
  const std::string text = render_text(report, {});
  EXPECT_EQ(text.find_first_of("\x1b\r\x07"), std::string::npos);
  EXPECT_NE(text.find("NCCL_DEBUG=x  y\n"), std::string::npos);
}

TEST(TextReport, NamesScatteredRanksAndSharedDevices) {
  CollectiveReport report = samples::straggler();
  std::swap(report.context.ranks[3].host, report.context.ranks[12].host);
  report.context.ranks[9].device = report.context.ranks[8].device;
  const std::string text = render_text(report, {});
  EXPECT_NE(text.find("- node-a: ranks 0-2,4-7,12, NVIDIA H200 x 8\n"), std::string::npos) << text;
  EXPECT_NE(text.find("- node-b: ranks 3,8-11,13-15, NVIDIA H200 x 7 shared by 8 ranks\n"), std::string::npos) << text;
}

TEST(TextReport, OfNothingAtAllIsStillAReport) {
  const std::string text = render_text(CollectiveReport{}, {});
  EXPECT_NE(text.find("No payload was measured."), std::string::npos);
  EXPECT_NE(text.find("Verdict: unknown"), std::string::npos);
}

}  // namespace
}  // namespace shakedown
