// SPDX-License-Identifier: Apache-2.0
#include "plan.h"

#include <gtest/gtest.h>

#include "shakedown/base/error.h"

namespace shakedown {
namespace {

constexpr Bytes gib{1ull << 30};
const Setting cpu{.on_gpu = false, .ranks = 2, .free_memory = Bytes{8 * gib.count}, .memory_name = "host memory"};
const Setting gpu{.on_gpu = true, .ranks = 8, .free_memory = Bytes{139 * gib.count}, .memory_name = "GPU memory"};

std::string refusal(const Options& options, const Setting& setting) {
  try {
    plan_protocol(options, setting);
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

CollectiveReport measured(double busbw, Bytes size) {
  CollectiveReport report;
  CollectiveRow row;
  row.bytes = row.bytes_requested = size;
  row.busbw = row.algbw = BytesPerSecond{busbw};
  row.checked = true;
  row.wrong = 0;
  report.rows.push_back(row);
  return report;
}

TEST(Plan, DefaultSweepsAreThePythonOriginalsOnGpusAndAShortOneOnTheCpu) {
  const auto on_gpu = plan_protocol({}, gpu).sizes;
  EXPECT_EQ(on_gpu.front(), Bytes{32u << 10});
  EXPECT_EQ(on_gpu.back(), Bytes{16 * gib.count});
  EXPECT_EQ(on_gpu.size(), 20u);
  EXPECT_EQ(plan_protocol({}, cpu).sizes.back(), Bytes{64u << 20});
}

TEST(Plan, OnlyDefaultsAreCutToTheMemory) {
  Setting small = gpu;
  small.free_memory = Bytes{10 * gib.count};
  EXPECT_EQ(plan_protocol({}, small).sizes.back(), Bytes{4 * gib.count}) << "two buffers of 4 GiB";
  Options in_place;
  in_place.in_place = true;
  EXPECT_EQ(plan_protocol(in_place, small).sizes.back(), Bytes{8 * gib.count});
  Options asked;
  asked.min_bytes = asked.max_bytes = Bytes{64 * gib.count};
  const std::string text = refusal(asked, small);
  EXPECT_NE(text.find("64 GiB does not fit"), std::string::npos) << text;
  EXPECT_NE(text.find("128 GiB"), std::string::npos) << text;
  EXPECT_NE(text.find("10 GiB"), std::string::npos) << text;
}

TEST(Plan, InvertedRangesAndEndlessSweepsAreRefused) {
  Options inverted;
  inverted.min_bytes = Bytes{8u << 20};
  inverted.max_bytes = Bytes{1u << 20};
  EXPECT_FALSE(refusal(inverted, cpu).empty());
  for (const double factor : {0.0, 1.0, 1.0000001}) {
    Options endless;
    endless.min_bytes = Bytes{8};
    endless.max_bytes = Bytes{8u << 10};
    endless.step_factor = factor;
    EXPECT_FALSE(refusal(endless, cpu).empty()) << factor;
  }
}

TEST(Plan, AnEndBelowTheDefaultStartIsOnePayload) {
  Options options;
  options.max_bytes = Bytes{1024};
  EXPECT_EQ(plan_protocol(options, cpu).sizes, std::vector<Bytes>{Bytes{1024}});
}

TEST(Plan, GraphTimingNeedsAGpu) {
  Options options;
  options.timing = Timing::graph;
  EXPECT_NE(refusal(options, cpu).find("needs a GPU"), std::string::npos);
  EXPECT_TRUE(refusal(options, gpu).empty());
}

TEST(Plan, ADescriptionTellsEachPayloadTheCallsAndTheMemory) {
  Options options;
  options.min_bytes = Bytes{64u << 10};
  options.max_bytes = Bytes{70u << 10};
  options.step_bytes = Bytes{2u << 10};
  const std::string text = describe_plan(plan_protocol(options, cpu), cpu);
  EXPECT_EQ(text.substr(0, text.find("4 payloads")), "64 KiB\n66 KiB\n68 KiB\n70 KiB\n");
  EXPECT_NE(text.find("5 warm-ups + 20 samples"), std::string::npos);
  EXPECT_NE(text.find("140 KiB of host memory a rank"), std::string::npos);
}

TEST(Checks, UncheckedDataIsUnknownAndRequireMakesItFail) {
  CollectiveReport report = measured(1e9, Bytes{1024});
  report.rows[0].checked = false;
  report.rows[0].wrong.reset();
  EXPECT_EQ(checks_of(report, {})[0].status, CheckStatus::unknown);
  Options options;
  options.require = {"data"};
  EXPECT_EQ(checks_of(report, options)[0].status, CheckStatus::fail);
}

TEST(Checks, WrongDataFails) {
  CollectiveReport report = measured(1e9, Bytes{1024});
  report.rows[0].wrong = 3;
  EXPECT_EQ(judge(checks_of(report, {})).status, CheckStatus::fail);
}

TEST(Checks, AMinimumIsJudgedAtItsPayload) {
  const CollectiveReport report = measured(2e9, Bytes{1024});
  Options options;
  options.min_busbw = MinimumBusbw{.value = {1e9}, .at = std::nullopt};
  EXPECT_EQ(judge(checks_of(report, options)).status, CheckStatus::pass);
  options.min_busbw->value = {3e9};
  EXPECT_EQ(judge(checks_of(report, options)).status, CheckStatus::fail);
  options.min_busbw->at = Bytes{4096};
  EXPECT_EQ(checks_of(report, options)[1].status, CheckStatus::unknown) << "that payload was not measured";
}

TEST(Checks, ABusBandwidthAboveAnyLineRateIsNoFailure) {
  const CollectiveReport report = measured(482e9, Bytes{1024});
  EXPECT_EQ(judge(checks_of(report, {})).status, CheckStatus::pass);
}

TEST(Checks, ALateRankIsAWarningInBlockingTiming) {
  CollectiveReport report = measured(1e9, Bytes{1024});
  report.context.ranks.resize(2);
  report.protocol.timing = Timing::blocking;
  EXPECT_EQ(checks_of(report, {})[1].status, CheckStatus::pass);
  report.rows[0].straggler = Straggler{1, "node-b", 2e-3};
  EXPECT_EQ(judge(checks_of(report, {})).status, CheckStatus::warn);
  EXPECT_NE(checks_of(report, {})[1].message.find("rank 1 on node-b"), std::string::npos);
}

}  // namespace
}  // namespace shakedown
