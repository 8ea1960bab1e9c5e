// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
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

/// 0, 1 where the schema refuses a document, or library_is_missing.
int validate(const std::string& schema, const std::vector<std::string>& documents) {
  const testing::TemporaryDirectory folder;
  std::string command = std::string{"python3 "} + VALIDATOR + " " + SCHEMA_FOLDER + "/" + schema;
  for (std::size_t i = 0; i < documents.size(); ++i) {
    const std::string path = folder / (std::to_string(i) + ".json");
    testing::write_file(path, documents[i]);
    command += " " + path;
  }
  const int status = std::system(command.c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(Schema, DescribesWhatMamfFinderWrites) {
  std::vector<std::string> documents;
  for (const auto make : {samples::gemm_search, samples::gemm_shapes, samples::gemm_cpu, samples::gemm_devices,
                          samples::gemm_suite, samples::gemm_two_kinds, samples::gemm_interrupted})
    documents.push_back(render_json(make()));
  const int status = validate(gemm_schema, documents);
  if (status == library_is_missing) GTEST_SKIP() << "needs python3-jsonschema";
  EXPECT_EQ(status, 0);
}

TEST(Schema, DescribesWhatAllReduceBenchWrites) {
  std::vector<std::string> documents;
  for (const auto make : {samples::two_ranks, samples::one_rank, samples::straggler, samples::wrong_data,
                          samples::odd_rows, samples::interrupted, samples::profile})
    documents.push_back(render_json(make()));
  const int status = validate("report.schema.json", documents);
  if (status == library_is_missing) GTEST_SKIP() << "needs python3-jsonschema";
  EXPECT_EQ(status, 0);
}

TEST(Schema, RefusesWhatIsNotDescribedMissingOrOfAnotherType) {
  const auto good = nlohmann::json::parse(render_json(samples::gemm_search()));
  auto extra = good, missing = good, text = good, power = good;
  extra["results"][0]["undescribed"] = 1;
  missing["best"][0]["burst"].erase("efficiency");
  text["results"][0]["m"] = "2048";
  power["results"][0]["power_w"] = 700;
  for (const auto& document : {extra, missing, text, power}) {
    const int status = validate(gemm_schema, {document.dump()});
    if (status == library_is_missing) GTEST_SKIP() << "needs python3-jsonschema";
    EXPECT_EQ(status, 1);
  }
}

}  // namespace
}  // namespace shakedown
