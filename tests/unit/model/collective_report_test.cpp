// SPDX-License-Identifier: Apache-2.0
#include "shakedown/model/collective_report.h"

#include <gtest/gtest.h>

#include <limits>

namespace shakedown {
namespace {

CollectiveRow row(std::uint64_t bytes, double algbw, std::optional<double> busbw) {
  CollectiveRow row;
  row.bytes = Bytes{bytes};
  row.algbw = BytesPerSecond{algbw};
  if (busbw) row.busbw = BytesPerSecond{*busbw};
  row.checked = true;
  row.wrong = 0;
  return row;
}

TEST(CollectiveSummary, OfNothingIsNothing) {
  const CollectiveSummary summary = CollectiveReport{}.summary();
  EXPECT_EQ(summary.best_busbw, std::nullopt);
  EXPECT_EQ(summary.best_algbw, std::nullopt);
  EXPECT_EQ(summary.rows_checked, 0u);
}

TEST(CollectiveSummary, BestIsByBusBandwidth) {
  CollectiveReport report;
  report.rows = {row(8, 1e9, 2e9), row(16, 3e9, 6e9), row(32, 2e9, 4e9)};
  const CollectiveSummary summary = report.summary();
  EXPECT_EQ(summary.best_busbw, BytesPerSecond{6e9});
  EXPECT_EQ(summary.best_algbw, BytesPerSecond{3e9});
  EXPECT_EQ(summary.best_bytes, Bytes{16});
  EXPECT_EQ(summary.rows_checked, 3u);
}

TEST(CollectiveSummary, OneRankHasNoBus) {
  CollectiveReport report;
  report.rows = {row(8, 1e9, {}), row(16, 3e9, {})};
  EXPECT_EQ(report.summary().best_busbw, std::nullopt);
  EXPECT_EQ(report.summary().best_algbw, BytesPerSecond{3e9});
}

TEST(CollectiveSummary, TheFirstOfEqualsIsBest) {
  CollectiveReport report;
  report.rows = {row(8, 1e9, 2e9), row(16, 1e9, 2e9)};
  EXPECT_EQ(report.summary().best_bytes, Bytes{8});
}

TEST(CollectiveSummary, OnlyGoodRowsCanBeBest) {
  CollectiveReport report;
  report.rows = {row(8, 1e9, 1e9), row(16, 9e9, 9e9), row(32, 9e9, 9e9), row(64, 9e9, 9e9), row(128, 9e9, 9e9)};
  report.rows[1].status = RowStatus::skipped;
  report.rows[2].status = RowStatus::failed;
  report.rows[3].wrong = 1;
  report.rows[4].busbw = BytesPerSecond{std::numeric_limits<double>::infinity()};
  EXPECT_EQ(report.summary().best_bytes, Bytes{8});
}

TEST(CollectiveSummary, WrongElementsAddUpWithoutWrapping) {
  CollectiveReport report;
  report.rows = {row(8, 1e9, 1e9), row(16, 1e9, 1e9), row(32, 1e9, 1e9)};
  report.rows[0].wrong = 3;
  report.rows[1].wrong = 4;
  report.rows[2].checked = false;
  report.rows[2].wrong.reset();
  EXPECT_EQ(report.summary().wrong, 7u);
  EXPECT_EQ(report.summary().rows_checked, 2u);
  report.rows[1].wrong = std::numeric_limits<std::uint64_t>::max();
  EXPECT_EQ(report.summary().wrong, std::numeric_limits<std::uint64_t>::max());
}

TEST(CollectiveReport, Names) {
  EXPECT_EQ(name_of(Timing::pipelined), "pipelined");
  EXPECT_EQ(name_of(Timing::blocking), "blocking");
  EXPECT_EQ(name_of(Timing::graph), "graph");
  EXPECT_EQ(name_of(RowStatus::ok), "ok");
  EXPECT_EQ(name_of(RowStatus::skipped), "skipped");
  EXPECT_EQ(name_of(RowStatus::failed), "failed");
}

}  // namespace
}  // namespace shakedown
