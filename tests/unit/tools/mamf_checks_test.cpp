// SPDX-License-Identifier: Apache-2.0
#include "checks.h"

#include <gtest/gtest.h>

#include "measure.h"

namespace shakedown {
namespace {

GemmResult row_in(GemmMode mode, double rate) {
  GemmResult row;
  row.shape = {64, 64, 64};
  row.mode = mode;
  row.rate.median = rate;
  row.verified = true;
  row.drift_per_s = 0;
  return row;
}

/// A finished run of both figures.
GemmReport good_report() {
  GemmReport report;
  report.protocol.kinds = {GemmKind{}};
  BestGemm best;
  best.burst = row_in(GemmMode::burst, 800);
  best.sustained = row_in(GemmMode::sustained, 690);
  best.peak.per_clock = 4096;
  report.results = {*best.burst, *best.sustained};
  report.best = {best};
  return report;
}

Check check(const GemmReport& report, const std::string& id, const Options& options = {}) {
  for (const Check& each : checks_of(report, options))
    if (each.id == id) return each;
  ADD_FAILURE() << "no check " << id;
  return {};
}

Options with_bar(double value, std::optional<GemmMode> mode) {
  Options options;
  options.min_rate = MinimumRate{value, mode};
  return options;
}

TEST(MamfChecks, AGoodRunPasses) {
  const auto checks = checks_of(good_report(), {});
  EXPECT_EQ(judge(checks).status, CheckStatus::pass);
}

TEST(MamfChecks, ARunThatMeasuredNothingIsNoPass) {
  GemmReport report = good_report();
  report.results = {row_in(GemmMode::burst, 0)};
  report.results[0].status = RowStatus::skipped;
  report.results[0].verified.reset();
  report.best.clear();
  EXPECT_EQ(judge(checks_of(report, {})).status, CheckStatus::unknown);
}

TEST(MamfChecks, APeakWithoutAClockIsUnknown) {
  GemmReport report = good_report();
  report.best[0].peak.units = 2;
  EXPECT_EQ(check(report, "peak").status, CheckStatus::unknown);
  report.best[0].peak.max_clock_mhz = 3000;
  EXPECT_EQ(check(report, "peak").status, CheckStatus::pass);
}

TEST(MamfChecks, UnsteadyFiguresWarn) {
  GemmReport report = good_report();
  report.best[0].burst->rate.ci95_low = 798;
  report.best[0].burst->rate.ci95_high = 803;
  EXPECT_EQ(check(report, "interval").status, CheckStatus::pass);
  report.best[0].sustained->rate.ci95_low = 600;
  report.best[0].sustained->rate.ci95_high = 750;
  EXPECT_EQ(check(report, "interval").status, CheckStatus::warn);
  EXPECT_NE(check(report, "interval").message.find("sustained"), std::string::npos);
}

TEST(MamfChecks, AWrongProductFails) {
  GemmReport report = good_report();
  report.results[1].verified = false;
  report.results[1].reason = "wrong product: 3 of 64";
  const Check data = check(report, "data");
  EXPECT_EQ(data.status, CheckStatus::fail);
  EXPECT_NE(data.message.find("3 of 64"), std::string::npos);
}

TEST(MamfChecks, AnUncheckedHeadlineIsNoPass) {
  GemmReport report = good_report();
  report.best[0].burst->verified.reset();
  EXPECT_EQ(check(report, "data").status, CheckStatus::unknown);
  EXPECT_EQ(check(GemmReport{}, "data").status, CheckStatus::unknown);
}

TEST(MamfChecks, AMissingFigureIsUnknown) {
  GemmReport report = good_report();
  report.best[0].sustained.reset();
  const Check figures = check(report, "figures");
  EXPECT_EQ(figures.status, CheckStatus::unknown);
  EXPECT_NE(figures.message.find("sustained"), std::string::npos);
  Options strict;
  strict.require = {"figures"};
  EXPECT_EQ(check(report, "figures", strict).status, CheckStatus::fail);
}

TEST(MamfChecks, ADriftingSustainedRateWarns) {
  GemmReport report = good_report();
  report.best[0].sustained->drift_per_s = -0.012;
  const Check drift = check(report, "drift");
  EXPECT_EQ(drift.status, CheckStatus::warn);
  EXPECT_NE(drift.message.find("fell by 1.2 %"), std::string::npos) << drift.message;
  report.best[0].sustained->drift_per_s.reset();
  EXPECT_EQ(check(report, "drift").status, CheckStatus::unknown);
}

TEST(MamfChecks, AReadingAboveThePeakWarnsAndAnUnknownPeakIsUnknown) {
  GemmReport report = good_report();
  report.results[0].remark = "above the peak of 700.0 TFLOPS at 1980 MHz, which is our own estimate";
  EXPECT_EQ(check(report, "peak").status, CheckStatus::warn);
  report = good_report();
  report.best[0].peak = {};
  EXPECT_EQ(check(report, "peak").status, CheckStatus::unknown);
}

TEST(MamfChecks, SkippedShapesWarnAndNoneIsUnknown) {
  GemmReport report = good_report();
  report.protocol.task = GemmTask::shapes;
  EXPECT_EQ(check(report, "shapes").status, CheckStatus::pass);
  report.results[0].status = RowStatus::skipped;
  EXPECT_EQ(check(report, "shapes").status, CheckStatus::warn);
  report.results[1].status = RowStatus::failed;
  EXPECT_EQ(check(report, "shapes").status, CheckStatus::unknown);
}

TEST(MamfChecks, TheBarHoldsForTheAskedFigureAndTheWeakestDevice) {
  GemmReport report = good_report();
  EXPECT_EQ(check(report, "min_tflops", with_bar(750, std::nullopt)).status, CheckStatus::pass) << "burst";
  EXPECT_EQ(check(report, "min_tflops", with_bar(750, GemmMode::sustained)).status, CheckStatus::fail);
  DeviceSpread spread;
  spread.mode = GemmMode::burst;
  spread.devices.resize(2);
  spread.devices[1].outlier = true;
  spread.devices[1].device.uuid = "GPU-weak";
  spread.min = 600;
  report.spreads = {spread};
  EXPECT_EQ(check(report, "min_tflops", with_bar(750, std::nullopt)).status, CheckStatus::fail);
  const Check devices = check(report, "devices");
  EXPECT_EQ(devices.status, CheckStatus::warn);
  EXPECT_NE(devices.message.find("GPU-weak"), std::string::npos);
  report.best[0].burst.reset();
  report.spreads.clear();
  EXPECT_EQ(check(report, "min_tflops", with_bar(750, std::nullopt)).status, CheckStatus::unknown);
}

TEST(MamfResume, OnlyWhatWouldBeMeasuredAgainIsTakenOver) {
  GemmProtocol protocol;
  protocol.modes = {GemmMode::burst};
  EngineInfo info;
  info.device = DeviceInfo{0, "NVIDIA H200", "GPU-a", "", Bytes{}};
  GemmResult good = row_in(GemmMode::burst, 1);
  good.device = info.device;
  GemmResult other_device = good;
  other_device.device->uuid = "GPU-b";
  GemmResult other_mode = good;
  other_mode.mode = GemmMode::sustained;
  GemmResult other_kind = good;
  other_kind.kind.type = GemmType::float16;
  GemmResult skipped = good;
  skipped.status = RowStatus::skipped;
  GemmResult cpu = good;
  cpu.device.reset();
  cpu.host = "node-a";
  const std::vector<GemmResult> earlier{good, other_device, other_mode, other_kind, skipped, cpu};
  EXPECT_EQ(reusable(earlier, {}, protocol, info, "node-a").size(), 1u);
  EXPECT_EQ(reusable(earlier, {}, protocol, EngineInfo{}, "node-a").size(), 1u);
  EXPECT_EQ(reusable(earlier, {}, protocol, EngineInfo{}, "node-b").size(), 0u) << "another host's CPU";
}

}  // namespace
}  // namespace shakedown
