// SPDX-License-Identifier: Apache-2.0
#include "shakedown/report/read_gemm_report.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "shakedown/base/error.h"
#include "shakedown/report/render_gemm.h"
#include "unit/report/sample_gemm_reports.h"

namespace shakedown {
namespace {

using Json = nlohmann::ordered_json;

/// What it says when it refuses; empty when it does not.
std::string refusal_of(const std::string& text) {
  try {
    read_gemm_run(text).results;
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class EverySample : public testing::TestWithParam<GemmReport (*)()> {};

TEST_P(EverySample, ComesBackAsItWas) {
  GemmReport report = GetParam()();
  const std::string text = render_json(report);
  report.results = read_gemm_run(text).results;
  // The headline figures and summaries are written from results and best, so that only results need to come back.
  EXPECT_EQ(render_json(report), text);
}

INSTANTIATE_TEST_SUITE_P(All, EverySample,
                         testing::Values(samples::gemm_search, samples::gemm_shapes, samples::gemm_cpu,
                                         samples::gemm_devices, samples::gemm_suite, samples::gemm_two_kinds,
                                         samples::gemm_interrupted));

TEST(ReadGemmReport, EveryFieldComesBack) {
  const GemmResult written = samples::gemm_search().results[1];
  const GemmResult read = read_gemm_run(render_json(samples::gemm_search())).results.at(1);
  EXPECT_EQ(read.shape, written.shape);
  EXPECT_EQ(read.kind, written.kind);
  EXPECT_EQ(read.mode, written.mode);
  EXPECT_EQ(read.host, written.host);
  EXPECT_EQ(read.device->uuid, written.device->uuid);
  EXPECT_EQ(read.device->memory, written.device->memory);
  EXPECT_EQ(read.time_s.median, written.time_s.median);
  EXPECT_EQ(read.time_s.samples, written.time_s.samples);
  EXPECT_EQ(read.rate.ci95_high, written.rate.ci95_high);
  EXPECT_EQ(read.clock_mhz, written.clock_mhz);
  EXPECT_EQ(read.power_w, written.power_w);
  EXPECT_EQ(read.throttle, written.throttle);
  EXPECT_EQ(read.drift_per_s, written.drift_per_s);
  EXPECT_EQ(read.stopped_by, written.stopped_by);
  EXPECT_EQ(read.verified, written.verified);
  EXPECT_EQ(read.status, written.status);
}

TEST(ReadGemmReport, BrokenJsonIsRefusedInWords) {
  const std::string whole = render_json(samples::gemm_search());
  for (const std::string& text : {std::string{}, whole.substr(0, whole.size() / 2), std::string{"not JSON"}}) {
    EXPECT_TRUE(says(refusal_of(text), "no whole JSON document")) << refusal_of(text);
  }
  for (const char* text : {"[]", "3", "{}", "null"}) EXPECT_TRUE(says(refusal_of(text), "no report of ours")) << text;
}

TEST(ReadGemmReport, AnotherToolsReportIsRefused) {
  Json document = Json::parse(render_json(samples::gemm_search()));
  document["tool"] = "all_reduce_bench";
  EXPECT_TRUE(says(refusal_of(document.dump()), "tool is \"all_reduce_bench\", and must be \"mamf_finder\""));
}

TEST(ReadGemmReport, AnotherSchemaVersionIsRefused) {
  Json document = Json::parse(render_json(samples::gemm_search()));
  document["schema_version"] = 2;
  EXPECT_TRUE(says(refusal_of(document.dump()), "schema_version is 2, and this version reads 1"));
}

TEST(ReadGemmReport, AResultWithoutWhatItNeedsIsRefused) {
  const Json good = Json::parse(render_json(samples::gemm_search()));
  const auto with = [&](const char* key, const Json& value) {
    Json document = good;
    document["results"][1][key] = value;
    return refusal_of(document.dump());
  };
  EXPECT_EQ(refusal_of(good.dump()), "");
  EXPECT_TRUE(says(with("m", -1), "m is -1, and must be a whole number above 0")) << with("m", -1);
  EXPECT_TRUE(says(with("k", 1.5), "k is 1.5"));
  EXPECT_TRUE(says(with("n", "4096"), "n is \"4096\""));
  EXPECT_TRUE(says(with("dtype", "float5"), "dtype is \"float5\""));
  EXPECT_TRUE(says(with("mode", "turbo"), "mode is \"turbo\""));
  EXPECT_TRUE(says(with("tflops", nullptr), "ok has no tflops.median"));
  EXPECT_TRUE(says(with("device", 3), "result 2 is not as expected")) << with("device", 3);
  EXPECT_TRUE(says(with("throttle", 3), "result 2 is not as expected"));
  Json missing = good;
  missing["results"][0].erase("status");
  EXPECT_TRUE(says(refusal_of(missing.dump()), "result 1 is not as expected"));
  Json rateless = good;
  rateless["results"][0]["tflops"]["median"] = nullptr;
  EXPECT_TRUE(says(refusal_of(rateless.dump()), "ok has no tflops.median"));
  Json without = good;
  without.erase("results");
  EXPECT_NE(refusal_of(without.dump()), "");
}

TEST(ReadGemmReport, KeysThatAreNotKnownAreIgnored) {
  Json document = Json::parse(render_json(samples::gemm_search()));
  document["results"][0]["news"] = {{"of", "tomorrow"}};
  document["more"] = 1;
  EXPECT_EQ(read_gemm_run(document.dump()).results.size(), 2u);
}

}  // namespace
}  // namespace shakedown
