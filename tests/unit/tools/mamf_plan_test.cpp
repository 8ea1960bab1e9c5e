// SPDX-License-Identifier: Apache-2.0
#include "plan.h"

#include <gtest/gtest.h>

#include <fstream>

#include "shakedown/base/error.h"
#include "support/temporary_directory.h"

namespace shakedown {
namespace {

Options options_of(const std::vector<std::string>& arguments) {
  auto parsed = parse_options(arguments, "1");
  if (const auto* early = std::get_if<EarlyExit>(&parsed)) ADD_FAILURE() << early->err;
  return std::get<Options>(parsed);
}

GemmProtocol protocol_of(const std::vector<std::string>& arguments, bool on_gpu = true) {
  const Options options = options_of(arguments);
  return plan_protocol(options, on_gpu, {GemmKind{}}, asked_shapes(options));
}

TEST(MamfPlan, ASearchOnAGpuRestsLongEnoughToRankShapes) {
  const GemmProtocol protocol = protocol_of({});
  EXPECT_EQ(protocol.task, GemmTask::search);
  EXPECT_EQ(protocol.shapes, 0u);
  EXPECT_EQ(protocol.budget, Seconds{45});
  EXPECT_GE(protocol.rest, Seconds{0.1});
  EXPECT_GE(protocol.least_samples, 6) << "fewer have no interval";
  EXPECT_EQ(protocol.seed, 42u);
  EXPECT_FALSE(protocol.rest_rule.empty());
}

TEST(MamfPlan, AShortBudgetIsNotEatenBySettling) {
  for (const bool on_gpu : {true, false}) {
    const GemmProtocol protocol = protocol_of({"--budget", "4"}, on_gpu);
    EXPECT_LE(protocol.soak + protocol.sustained_time, Seconds{1});
    EXPECT_GT(protocol.sustained_time, Seconds{0});
  }
  EXPECT_EQ(protocol_of({"--budget", "600"}).sustained_time, protocol_of({}).sustained_time)
      << "a long budget makes the figure no other one";
}

TEST(MamfPlan, CountsBelongToTheProtocolThatWasAskedFor) {
  const GemmProtocol flushed = protocol_of({"--protocol", "mamf-v2"});
  EXPECT_EQ(flushed.flushed_calls, 100);
  EXPECT_EQ(flushed.flushed_warmups, 50);
  const GemmProtocol asked =
      protocol_of({"--protocol", "mamf-v2", "--num-iterations", "9", "--num-warmup-iterations", "0"});
  EXPECT_EQ(asked.flushed_calls, 9);
  EXPECT_EQ(asked.flushed_warmups, 0);
  EXPECT_GE(asked.least_samples, 6);
  EXPECT_EQ(protocol_of({"--num-iterations", "12"}).least_samples, 12);
}

TEST(MamfPlan, AGridIsMeasuredOncePerShape) {
  const Options options = options_of({"--m", "64", "64", "128", "--n", "64", "--k", "8,16"});
  const AskedShapes asked = asked_shapes(options);
  EXPECT_EQ(asked.shapes.size(), 4u);
  EXPECT_EQ(plan_protocol(options, true, {}, asked).shapes, 4u);
  EXPECT_EQ(asked_shapes(options_of({"--exhaustive"})).shapes.size(), 15u * 15 * 15);
}

TEST(MamfPlan, AGridThatNoRunHoldsIsRefusedWithItsCount) {
  const Options options =
      options_of({"--m-range", "0", "2000", "1", "--n-range", "0", "2000", "1", "--k-range", "0", "2000", "1"});
  try {
    asked_shapes(options);
    FAIL() << "accepted";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("7988005999"), std::string::npos) << error.what();
  }
}

TEST(MamfPlan, TheOriginalsHugeGridIsAnnouncedInDays) {
  const Options options = options_of({"--m-range", "0", "20480", "256", "--n-range", "0", "20480", "256", "--k-range",
                                      "0", "20480", "256", "--protocol", "mamf-v2"});
  const AskedShapes asked = asked_shapes(options);
  EXPECT_EQ(asked.shapes.size(), 493039u);
  const GemmProtocol protocol = plan_protocol(options, true, {GemmKind{}}, asked);
  KindEstimate kind;
  kind.operations_per_s = 7.5e14;
  const std::string text = describe_plan(protocol, asked, {kind}, Bytes{1ull << 37});
  EXPECT_NE(text.find("493039 shapes"), std::string::npos) << text;
  EXPECT_NE(text.find("days"), std::string::npos) << text;
}

TEST(MamfPlan, AnEstimateGrowsWithTheWork) {
  const Options few = options_of({"--m", "1024", "--n", "1024", "--k", "1024"});
  const Options many = options_of({"--m", "1024,2048", "--n", "1024", "--k", "1024"});
  const auto seconds = [](const Options& options, double rate) {
    const AskedShapes asked = asked_shapes(options);
    return estimate_seconds(plan_protocol(options, true, {GemmKind{}}, asked), asked, rate);
  };
  EXPECT_LT(seconds(few, 1e14), seconds(many, 1e14));
  EXPECT_LT(seconds(few, 1e14), seconds(few, 1e10));
}

TEST(MamfPlan, ASuiteListsEveryProductWithItsCount) {
  const Options options = options_of({"--model", "hidden=64,layers=2,heads=4,ffn=256,seq=16,vocab=128"});
  const AskedShapes asked = asked_shapes(options);
  const GemmProtocol protocol = plan_protocol(options, false, {GemmKind{}}, asked);
  EXPECT_EQ(protocol.task, GemmTask::model);
  EXPECT_EQ(protocol.shapes, asked.suite.size());
  EXPECT_NE(protocol.shape_rule.find("left out"), std::string::npos);
  KindEstimate kind;
  kind.operations_per_s = 1e11;
  kind.skipped = 2;
  const std::string text = describe_plan(protocol, asked, {kind}, Bytes{1 << 30});
  for (const NamedGemm& gemm : asked.suite) EXPECT_NE(text.find(gemm.name), std::string::npos) << text;
  EXPECT_NE(text.find("2 would be skipped"), std::string::npos) << text;
}

TEST(MamfPlan, FilesAreReadBeforeAnythingRuns) {
  const testing::TemporaryDirectory directory;
  const std::string path = directory / "shapes";
  std::ofstream(path) << "64 64 64 3 small\n";
  const AskedShapes asked = asked_shapes(options_of({"--shapes", path}));
  ASSERT_EQ(asked.suite.size(), 1u);
  EXPECT_NE(asked.suite_description.find(path), std::string::npos);
  EXPECT_THROW(asked_shapes(options_of({"--shapes", path + ".absent"})), UsageError);
  EXPECT_THROW(asked_shapes(options_of({"--exhaustive", "--resume", path})), UsageError) << "no report";
}

}  // namespace
}  // namespace shakedown
