// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "shakedown/report/render.h"
#include "unit/report/sample_reports.h"

namespace shakedown {
namespace {

using Json = nlohmann::ordered_json;
using Keys = std::vector<std::string>;

/// Strict: the library refuses NaN, Infinity and text that is no UTF-8.
Json parsed(const CollectiveReport& report) { return Json::parse(render_json(report)); }

Keys keys_of(const Json& object) {
  Keys keys;
  for (const auto& item : object.items()) keys.push_back(item.key());
  return keys;
}

TEST(JsonReport, HasTheKeysOfTheContractInTheirOrder) {
  const Json document = parsed(samples::straggler());
  EXPECT_EQ(keys_of(document),
            (Keys{"schema_version", "tool", "tool_version", "complete", "ended_early", "started_at", "duration_s",
                  "command", "notes", "context", "protocol", "results", "summary", "verdict"}));
  EXPECT_EQ(keys_of(document["context"]),
            (Keys{"backend", "backend_reason", "ranks", "versions", "environment", "notices"}));
  EXPECT_EQ(keys_of(document["context"]["ranks"][0]), (Keys{"rank", "local_rank", "host", "pid", "device"}));
  EXPECT_EQ(keys_of(document["results"][1]), (Keys{"collective",
                                                   "bytes",
                                                   "bytes_requested",
                                                   "count",
                                                   "dtype",
                                                   "op",
                                                   "in_place",
                                                   "timing",
                                                   "iterations",
                                                   "batch",
                                                   "places",
                                                   "time_s",
                                                   "samples_s",
                                                   "per_rank_s",
                                                   "algbw_bytes_per_s",
                                                   "busbw_bytes_per_s",
                                                   "checked",
                                                   "wrong",
                                                   "first_wrong",
                                                   "straggler",
                                                   "status",
                                                   "reason"}));
  EXPECT_EQ(keys_of(document["results"][1]["time_s"]), (Keys{"min", "median", "mean", "max", "p99", "samples"}));
  EXPECT_EQ(keys_of(document["results"][1]["straggler"]), (Keys{"rank", "host", "lead_s"}));
  EXPECT_EQ(keys_of(document["verdict"]), (Keys{"status", "reasons", "unknown"}));
}

TEST(JsonReport, CarriesTheReportsValues) {
  const CollectiveReport report = samples::straggler();
  const Json document = parsed(report);
  EXPECT_EQ(document["schema_version"], 1);
  EXPECT_EQ(document["complete"], true);
  EXPECT_EQ(document["ended_early"], nullptr);
  EXPECT_EQ(document["context"]["ranks"].size(), 16u);
  EXPECT_EQ(document["context"]["ranks"][9]["host"], "node-b");
  EXPECT_EQ(document["context"]["ranks"][9]["device"]["uuid"], report.context.ranks[9].device->uuid);
  EXPECT_EQ(document["context"]["environment"]["NCCL_SOCKET_IFNAME"], "eth0");
  EXPECT_EQ(document["protocol"]["timing"], "blocking");
  EXPECT_EQ(document["protocol"]["sizes"][1], 17179869184u);
  const Json& row = document["results"][1];
  EXPECT_EQ(row["bytes"], 17179869184u);
  EXPECT_EQ(row["busbw_bytes_per_s"], report.rows[1].busbw->value) << "all digits";
  EXPECT_EQ(row["samples_s"], Json(report.rows[1].samples_s));
  EXPECT_EQ(row["straggler"]["rank"], 3);
  EXPECT_EQ(row["wrong"], 0);
  EXPECT_EQ(document["summary"]["best_bytes"], report.rows[0].bytes.count);
  EXPECT_EQ(document["verdict"]["status"], "fail");
  EXPECT_EQ(document["verdict"]["unknown"], 1);
}

TEST(JsonReport, UnknownIsNull) {
  const Json document = parsed(samples::one_rank());
  EXPECT_EQ(document["results"][0]["busbw_bytes_per_s"], nullptr);
  EXPECT_EQ(document["results"][0]["wrong"], nullptr);
  EXPECT_EQ(document["results"][0]["checked"], false);
  EXPECT_EQ(document["results"][0]["time_s"]["p99"], nullptr);
  EXPECT_EQ(document["summary"]["best_busbw_bytes_per_s"], nullptr);
  EXPECT_EQ(document["summary"]["wrong"], nullptr);
  EXPECT_EQ(parsed(samples::two_ranks())["context"]["ranks"][0]["device"], nullptr);
}

TEST(JsonReport, RowsWithoutANumberHaveNone) {
  const Json document = parsed(samples::odd_rows());
  for (const std::size_t i : {4u, 6u}) {
    const Json& row = document["results"][i];
    EXPECT_NE(row["status"], "ok");
    EXPECT_TRUE(row["reason"].is_string());
    for (const char* key :
         {"iterations", "batch", "algbw_bytes_per_s", "busbw_bytes_per_s", "wrong", "straggler", "first_wrong"}) {
      EXPECT_EQ(row[key], nullptr) << key;
    }
    EXPECT_EQ(row["time_s"]["median"], nullptr);
    EXPECT_EQ(row["samples_s"].size(), 0u);
  }
}

TEST(JsonReport, NumbersThatAreNoneAreNull) {
  CollectiveReport report = samples::wrong_data();
  report.rows[0].algbw = BytesPerSecond{std::numeric_limits<double>::infinity()};
  report.rows[0].time_s.mean = std::numeric_limits<double>::quiet_NaN();
  report.rows[1].first_wrong->got = std::numeric_limits<double>::quiet_NaN();
  const Json document = parsed(report);
  EXPECT_EQ(document["results"][0]["algbw_bytes_per_s"], nullptr);
  EXPECT_EQ(document["results"][0]["time_s"]["mean"], nullptr);
  EXPECT_EQ(document["results"][1]["first_wrong"]["got"], nullptr);
  EXPECT_EQ(document["results"][1]["first_wrong"]["expected"], -21);
}

TEST(JsonReport, LargeCountsStayWholeNumbers) {
  CollectiveReport report = samples::wrong_data();
  report.rows[1].wrong = std::numeric_limits<std::uint64_t>::max();
  EXPECT_NE(render_json(report).find("\"wrong\": 18446744073709551615"), std::string::npos);
}

TEST(JsonReport, BytesThatAreNoUtf8DoNotThrow) {
  CollectiveReport report = samples::wrong_data();
  const std::string broken = "a\xff\xc3(z";
  report.header.notes = broken;
  report.header.command = {broken};
  report.context.environment = {{broken, broken}};
  report.context.ranks[0].host = broken;
  report.rows[1].first_wrong->host = broken;
  report.checks[0].message = broken;
  const Json document = parsed(report);
  EXPECT_EQ(document["notes"], "a\xEF\xBF\xBD\xEF\xBF\xBD(z");
  EXPECT_EQ(document["context"]["ranks"][0]["host"], document["notes"]);
}

TEST(JsonReport, SaysWhyItIsNotComplete) {
  const Json document = parsed(samples::interrupted());
  EXPECT_EQ(document["complete"], false);
  EXPECT_EQ(document["ended_early"], "stopped by SIGINT");
  EXPECT_EQ(document["results"].size(), 0u);
  EXPECT_TRUE(document["results"].is_array());
  EXPECT_EQ(document["protocol"]["batch"], nullptr);
  EXPECT_EQ(document["summary"]["best_bytes"], nullptr);
  EXPECT_EQ(document["verdict"]["status"], "unknown");
}

TEST(JsonReport, IsOneDocumentEndedByANewline) {
  const std::string text = render_json(samples::two_ranks());
  EXPECT_EQ(text.front(), '{');
  EXPECT_EQ(text.substr(text.size() - 2), "}\n");
}

TEST(JsonReport, OfNothingAtAllIsStillADocument) { EXPECT_EQ(parsed(CollectiveReport{})["results"].size(), 0u); }

}  // namespace
}  // namespace shakedown
