// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <nlohmann/json.hpp>

#include "shakedown/report/render.h"
#include "shakedown/report/render_gemm.h"
#include "support/temporary_directory.h"
#include "unit/report/sample_gemm_reports.h"
#include "unit/report/sample_reports.h"

namespace shakedown {
namespace {

constexpr int library_is_missing = 77;
constexpr const char* gemm_schema = "mamf_finder.schema.json";

/// 0, 1 for a document that the schema refuses, or library_is_missing.
int validate(const std::string& schema, const std::string& document) {
  const testing::TemporaryDirectory folder;
  testing::write_file(folder / "document.json", document);
  const std::string command =
      std::string{"python3 "} + VALIDATOR + " " + SCHEMA_FOLDER + "/" + schema + " " + (folder / "document.json");
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class GemmSchema : public ::testing::TestWithParam<GemmReport (*)()> {};

TEST_P(GemmSchema, DescribesWhatIsWritten) {
  const int status = validate(gemm_schema, render_json(GetParam()()));
  if (status == library_is_missing) GTEST_SKIP() << "needs python3-jsonschema";
  EXPECT_EQ(status, 0);
}

INSTANTIATE_TEST_SUITE_P(All, GemmSchema,
                         ::testing::Values(samples::gemm_search, samples::gemm_shapes, samples::gemm_cpu,
                                           samples::gemm_devices, samples::gemm_suite, samples::gemm_two_kinds,
                                           samples::gemm_interrupted));

TEST(Schema, DescribesWhatAllReduceBenchWrites) {
  for (const auto make : {samples::two_ranks, samples::straggler, samples::odd_rows, samples::interrupted}) {
    const int status = validate("report.schema.json", render_json(make()));
    if (status == library_is_missing) GTEST_SKIP() << "needs python3-jsonschema";
    EXPECT_EQ(status, 0);
  }
}

TEST(Schema, RefusesWhatIsNotDescribedMissingOrOfAnotherType) {
  const auto good = nlohmann::json::parse(render_json(samples::gemm_search()));
  auto extra = good, missing = good, text = good, power = good;
  extra["results"][0]["undescribed"] = 1;
  missing["best"][0]["burst"].erase("efficiency");
  text["results"][0]["m"] = "2048";
  power["results"][0]["power_w"] = 700;
  for (const auto& document : {extra, missing, text, power}) {
    const int status = validate(gemm_schema, document.dump());
    if (status == library_is_missing) GTEST_SKIP() << "needs python3-jsonschema";
    EXPECT_EQ(status, 1);
  }
}

}  // namespace
}  // namespace shakedown
