// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "shakedown/report/render_gemm.h"
#include "unit/report/sample_gemm_reports.h"

namespace shakedown {
namespace {

using Json = nlohmann::ordered_json;
using Keys = std::vector<std::string>;

Json parsed(const GemmReport& report) { return Json::parse(render_json(report)); }

Keys keys_of(const Json& object) {
  Keys keys;
  for (const auto& item : object.items()) keys.push_back(item.key());
  return keys;
}

TEST(GemmJson, HasTheKeysOfTheContract) {
  const Json document = parsed(samples::gemm_search());
  EXPECT_EQ(keys_of(document), (Keys{"schema_version", "tool", "tool_version", "complete", "ended_early", "started_at",
                                     "duration_s", "command", "notes", "context", "protocol", "results", "screened",
                                     "best", "spreads", "suite", "summary", "verdict"}));
  const Keys result = keys_of(document["results"][0]);
  for (const char* key :
       {"m", "n", "k", "dtype", "device", "mode", "time_s", "tflops", "algorithm", "sm_clock_mhz", "power_w",
        "temperature_c", "throttle", "verified", "status", "reason", "accumulation", "layout", "output_dtype"})
    EXPECT_NE(std::find(result.begin(), result.end(), key), result.end()) << key;
  EXPECT_EQ(keys_of(document["results"][0]["tflops"]), (Keys{"mean", "median", "max", "ci95_low", "ci95_high"}));
  EXPECT_EQ(keys_of(document["results"][0]["device"]), (Keys{"index", "name", "uuid", "pci", "memory_bytes"}));
  EXPECT_EQ(keys_of(document["best"][0]), (Keys{"dtype", "accumulation", "layout", "output_dtype", "host", "device",
                                                "peak", "burst", "sustained", "mamf_v2"}));
  EXPECT_EQ(keys_of(document["best"][0]["burst"]["efficiency"]),
            (Keys{"of_datasheet", "of_max_clock", "of_measured_clock"}));
}

TEST(GemmJson, CarriesTheReportsValues) {
  const GemmReport report = samples::gemm_search();
  const Json document = parsed(report);
  const Json& sustained = document["best"][0]["sustained"];
  EXPECT_EQ(document["tool"], "mamf_finder");
  EXPECT_EQ(document["protocol"]["seed"], 42);
  EXPECT_EQ(document["protocol"]["modes"], (Json{"burst", "sustained"}));
  EXPECT_EQ(document["protocol"]["kinds"][0]["output_dtype"], "bfloat16");
  EXPECT_EQ(document["results"][0]["tflops"]["median"], report.results[0].rate.median) << "all digits";
  EXPECT_EQ(document["results"][0]["k"], 18944);
  EXPECT_EQ(sustained["tflops"]["ci95_low"], report.results[1].rate.ci95_low.value());
  EXPECT_EQ(sustained["throttle"], (Json{"sw_power_cap"}));
  EXPECT_EQ(sustained["efficiency"]["of_datasheet"], report.results[1].rate.median / 989.4);
  EXPECT_EQ(document["best"][0]["peak"]["datasheet_source"], "NVIDIA H200 datasheet");
  EXPECT_EQ(document["screened"].size(), 4u);
  EXPECT_EQ(document["summary"]["looked_at"], 3);
  EXPECT_EQ(document["summary"]["shapes"][0]["best"]["median"]["k"], 18944);
}

TEST(GemmJson, UnknownIsNull) {
  const Json search = parsed(samples::gemm_search());
  EXPECT_EQ(search["best"][0]["mamf_v2"], nullptr);
  EXPECT_EQ(search["results"][0]["power_w"], nullptr);
  EXPECT_EQ(search["results"][0]["reason"], nullptr);
  EXPECT_EQ(search["suite"], nullptr);
  const Json shapes = parsed(samples::gemm_shapes());
  EXPECT_EQ(shapes["results"][1]["verified"], nullptr);
  EXPECT_EQ(shapes["results"][0]["tflops"]["ci95_low"], nullptr) << "three samples have no interval";
  const Json unknown_chip = parsed(samples::gemm_two_kinds());
  for (const auto& item : unknown_chip["best"][0]["mamf_v2"]["efficiency"].items()) EXPECT_EQ(item.value(), nullptr);
  EXPECT_EQ(unknown_chip["best"][0]["peak"]["datasheet_tflops"], nullptr);
  EXPECT_EQ(unknown_chip["best"][0]["peak"]["units"], nullptr);
}

TEST(GemmJson, TheCpuHasNoDevice) {
  const Json document = parsed(samples::gemm_cpu());
  EXPECT_EQ(document["results"][0]["device"], nullptr);
  EXPECT_EQ(document["best"][0]["device"], nullptr);
  EXPECT_EQ(document["best"][0]["peak"]["estimated"], true);
  EXPECT_EQ(document["results"][0]["dtype"], "int8");
  EXPECT_EQ(document["results"][0]["output_dtype"], "int32");
  EXPECT_EQ(document["results"][0]["unit"], "TOPS");
}

TEST(GemmJson, RowsWithoutANumberHaveNone) {
  const Json document = parsed(samples::gemm_shapes());
  for (const std::size_t i : {3u, 4u}) {
    const Json& row = document["results"][i];
    EXPECT_NE(row["status"], "ok");
    EXPECT_TRUE(row["reason"].is_string());
    for (const auto& item : row["tflops"].items()) EXPECT_EQ(item.value(), nullptr) << item.key();
    EXPECT_EQ(row["time_s"]["median"], nullptr);
    EXPECT_EQ(row["time_s"]["samples"], 0);
    EXPECT_EQ(row["calls_per_sample"], nullptr);
  }
  const Json& summary = document["summary"]["shapes"][0];
  EXPECT_EQ(summary["tried"], 6);
  EXPECT_EQ(summary["skipped"], 2);
  EXPECT_EQ(summary["failed"], 1);
}

TEST(GemmJson, NumbersThatAreNoneAreNull) {
  GemmReport report = samples::gemm_devices();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  report.results[0].rate = {nan, nan, nan, nan, nan};
  report.results[0].clock_mhz = std::numeric_limits<double>::infinity();
  report.spreads[0].median = nan;
  const Json document = parsed(report);
  EXPECT_EQ(document["results"][0]["tflops"]["median"], nullptr);
  EXPECT_EQ(document["results"][0]["sm_clock_mhz"], nullptr);
  EXPECT_EQ(document["spreads"][0]["tflops"]["median"], nullptr);
}

TEST(GemmJson, SpreadsNameTheOutlier) {
  const Json document = parsed(samples::gemm_devices());
  const Json& devices = document["spreads"][0]["devices"];
  ASSERT_EQ(devices.size(), 8u);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(devices[i]["outlier"], i == 3);
  EXPECT_EQ(devices[3]["device"]["pci"], "0000:1e:00.0");
  EXPECT_EQ(document["spreads"][0]["tflops"]["min"], devices[3]["tflops"]);
}

TEST(GemmJson, ASuitesRatesMakeItsHarmonicMean) {
  GemmReport report = samples::gemm_suite();
  for (GemmResult& result : report.results) result.rate.median = 5;  // a noisy machine's; means decide
  const Json document = parsed(report);
  const Json& suite = document["suite"];
  double seconds = 0;
  for (const Json& entry : suite["entries"]) {
    const double terms = entry["m"].get<double>() * entry["n"].get<double>() * entry["k"].get<double>();
    seconds += 2 * terms * entry["count"].get<double>() / entry["tflops"].get<double>();
  }
  EXPECT_NEAR(suite["operations"].get<double>() / seconds, suite["harmonic_mean_tflops"].get<double>(), 1e-6);
}

TEST(GemmJson, ASuitesSharesAddUpToOne) {
  GemmReport report = samples::gemm_suite();
  double sum = 0;
  const Json whole = parsed(report);
  for (const Json& entry : whole["suite"]["entries"]) sum += entry["share_of_time"].get<double>();
  EXPECT_NEAR(sum, 1, 1e-12);
  report.results[1].status = RowStatus::failed;
  report.suite->harmonic_mean.reset();
  const Json suite = parsed(report)["suite"];
  EXPECT_EQ(suite["harmonic_mean_tflops"], nullptr);
  EXPECT_EQ(suite["entries"][1]["tflops"], nullptr);
  EXPECT_EQ(suite["entries"][1]["result"], nullptr);
  EXPECT_EQ(suite["entries"][0]["share_of_time"], nullptr);
}

TEST(GemmJson, SaysWhyItIsNotComplete) {
  const Json document = parsed(samples::gemm_interrupted());
  EXPECT_EQ(document["complete"], false);
  EXPECT_EQ(document["ended_early"], "stopped by SIGINT");
  EXPECT_EQ(document["results"], Json::array());
  EXPECT_EQ(document["best"], Json::array());
  EXPECT_EQ(document["verdict"]["status"], "unknown");
}

TEST(GemmJson, BytesThatAreNoUtf8DoNotThrow) {
  GemmReport report = samples::gemm_search();
  report.results[0].host = report.results[0].algorithm = "a\xff";
  EXPECT_EQ(parsed(report)["results"][0]["host"], "a\xEF\xBF\xBD");
}

TEST(GemmJson, OfNothingAtAllIsStillADocument) { EXPECT_EQ(parsed(GemmReport{})["results"].size(), 0u); }

}  // namespace
}  // namespace shakedown
