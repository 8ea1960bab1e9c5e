// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "report/gemm_words.h"
#include "report/words.h"
#include "shakedown/report/render_gemm.h"
#include "unit/report/golden_file.h"
#include "unit/report/sample_gemm_reports.h"

namespace shakedown {
namespace {

using Make = GemmReport (*)();

struct Golden {
  const char* name;
  Make make;
  TextStyle style;
};

class GemmGoldenReport : public testing::TestWithParam<Golden> {};

TEST_P(GemmGoldenReport, IsTheSameByteForByte) {
  const std::string text = render_text(GetParam().make(), GetParam().style);
  EXPECT_EQ(text, golden_text(GetParam().name, text));
}

TEST_P(GemmGoldenReport, HasNoTrailingSpacesAndKeepsToItsWidth) {
  std::istringstream lines(render_text(GetParam().make(), {false, 100}));
  for (std::string line; std::getline(lines, line);) {
    EXPECT_TRUE(line.empty() || line.back() != ' ') << '"' << line << '"';
    EXPECT_EQ(one_line(line), line);
    // The algorithm stands last, so that its name may be as long as it likes.
    const std::size_t end = std::min(line.size(), line.find("| nvjet"));
    EXPECT_LE(width_of(line.substr(0, end)), line.rfind('|', 0) == 0 ? 145u : 100u) << line;
  }
}

TEST_P(GemmGoldenReport, TheTableGrowsAtItsEndAlone) {
  GemmReport report = GetParam().make();
  std::string later = render_text(report, {});
  while (true) {
    report.best.clear();
    report.checks.clear();
    const std::string table = render_table(report, {});
    EXPECT_EQ(later.substr(0, table.size()), table);
    if (report.results.empty()) break;
    report.results.pop_back();
    later = table;
  }
}

TEST_P(GemmGoldenReport, ColorAddsEscapesAndNothingElse) {
  const std::string colored = render_text(GetParam().make(), {true, 100});
  std::string stripped;
  for (std::size_t i = 0; i < colored.size(); ++i) {
    if (colored[i] == '\x1b')
      i = colored.find('m', i);
    else
      stripped += colored[i];
  }
  EXPECT_NE(colored, stripped);
  EXPECT_EQ(stripped, render_text(GetParam().make(), {false, 100}));
}

std::string label(const testing::TestParamInfo<Golden>& golden) { return golden.param.name; }

INSTANTIATE_TEST_SUITE_P(All, GemmGoldenReport,
                         testing::Values(Golden{"gemm_search", samples::gemm_search, {}},
                                         Golden{"gemm_shapes", samples::gemm_shapes, {}},
                                         Golden{"gemm_cpu", samples::gemm_cpu, {}},
                                         Golden{"gemm_devices", samples::gemm_devices, {}},
                                         Golden{"gemm_suite", samples::gemm_suite, {}},
                                         Golden{"gemm_two_kinds", samples::gemm_two_kinds, {}},
                                         Golden{"gemm_interrupted", samples::gemm_interrupted, {}},
                                         Golden{"gemm_shapes_color", samples::gemm_shapes, {true, 100}}),
                         label);

std::string text_of(const GemmReport& report) { return render_text(report, {false, 1000}); }

bool says(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(GemmText, PrintsTheFormulaOfTheDensePeak) {
  const std::string text = text_of(samples::gemm_search());
  EXPECT_TRUE(says(text, "132 SMs x 4096 FLOPs/clock/SM x 1830 MHz = 989.4 TFLOPS dense (NVIDIA H200 datasheet)"))
      << text;
}

TEST(GemmText, PrintsThePeakAtEachMeasuredClock) {
  const std::string text = text_of(samples::gemm_search());
  EXPECT_TRUE(says(text, "the clock measured in burst: 132 SMs x 4096 FLOPs/clock/SM x 1950 MHz = 1054.3 TFLOPS"));
  EXPECT_TRUE(says(text, "the clock measured in sustained: 132 SMs x 4096 FLOPs/clock/SM x 1530 MHz = 827.2 TFLOPS"));
}

TEST(GemmText, TheFormulasClockHasTheDigitsThatItNeeds) {
  GemmReport report = samples::gemm_search();
  report.best[0].peak.datasheet = 132 * 4096 * 1830.4 / 1e6;
  EXPECT_TRUE(says(text_of(report), "x 1830.4 MHz = 989.6 TFLOPS"));
}

TEST(GemmText, AReadingAboveThePeakIsNoBestOutcome) {
  GemmReport report = samples::gemm_shapes();
  GemmResult& row = report.results[0];
  row.rate.mean = row.rate.median = row.rate.max = 2000;
  EXPECT_FALSE(says(text_of(report), "2000.0 TFLOPS")) << text_of(report);
}

TEST(GemmText, AnUnknownPeakIsUnknown) {
  GemmReport report = samples::gemm_search();
  report.best[0].peak = GemmPeak{};
  const std::string text = text_of(report);
  EXPECT_TRUE(says(text, "peak of the datasheet: unknown")) << text;
  EXPECT_TRUE(says(text, "peak at the maximum clock: unknown"));
  EXPECT_TRUE(says(text, "|      unknown |      unknown |           unknown |"));
  report.best[0].peak.datasheet = 500;
  EXPECT_TRUE(says(text_of(report), "peak: 500.0 TFLOPS dense (no source)"));
}

TEST(GemmText, EightBitIntegersAreNeverFloatingPoint) {
  const std::string text = text_of(samples::gemm_cpu());
  EXPECT_FALSE(says(text, "FLOP")) << text;
  EXPECT_TRUE(says(text, "OPs/clock/core"));
  EXPECT_TRUE(says(text, "TOPS"));
}

TEST(GemmText, AnEstimateIsCalledOne) { EXPECT_TRUE(says(text_of(samples::gemm_cpu()), "our estimate")); }

TEST(GemmText, SaysWhatHeldTheClock) {
  EXPECT_TRUE(says(text_of(samples::gemm_search()), "held by the power cap (normal under load)"));
  EXPECT_TRUE(says(text_of(samples::gemm_shapes()), "heat protection"));
}

TEST(GemmText, DriftIsSaidWhereItShows) {
  GemmReport report = samples::gemm_search();
  EXPECT_TRUE(says(text_of(report), "the rate still fell by 0.8 % a second"));
  report.best[0].sustained->drift_per_s = 0.02;
  EXPECT_TRUE(says(text_of(report), "the rate still rose by 2.0 % a second"));
  for (const std::optional<double> none : {std::optional<double>{}, std::optional<double>{0.0001}}) {
    report.best[0].sustained->drift_per_s = none;
    EXPECT_FALSE(says(text_of(report), "the rate still"));
  }
}

TEST(GemmText, NotVerifiedIsNotVerified) {
  GemmReport report = samples::gemm_search();
  EXPECT_FALSE(says(text_of(report), "not verified"));
  report.results[0].verified.reset();
  EXPECT_TRUE(says(text_of(report), "| * 2048x4224x18944"));
  report.best[0].burst->verified.reset();
  EXPECT_TRUE(says(text_of(report), "not verified: nobody checked"));
  report.best[0].burst->verified = false;
  EXPECT_TRUE(says(text_of(report), "WRONG product"));
}

TEST(GemmText, SkippedRowsOfOneRuleShareALine) {
  const std::string text = text_of(samples::gemm_shapes());
  EXPECT_TRUE(says(text, "- 7x4096x4096, 9x4096x4096 skipped: m is 7, and must be a multiple of 16")) << text;
  EXPECT_TRUE(says(text, "- 8192x4096x4096 failed: 12 of 256 checked elements"));
  EXPECT_TRUE(says(text, "Tried 6 shapes (2 skipped, 1 failed)"));
}

TEST(GemmText, ThousandsOfSkippedShapesAreNotAllListed) {
  GemmReport report = samples::gemm_shapes();
  report.results.insert(report.results.end(), 3000, report.results[3]);
  EXPECT_TRUE(says(text_of(report), "and 2996 more skipped")) << text_of(report).size();
}

TEST(GemmText, ASearchCountsDifferentShapes) {
  EXPECT_TRUE(says(text_of(samples::gemm_search()), "Looked at 3 shapes."));
}

TEST(GemmText, ARankThatHoldsEveryDeviceIsNamedOnce) {
  GemmReport report = samples::gemm_devices();
  for (RankInfo& rank : report.context.ranks) rank.rank = 0;
  EXPECT_TRUE(says(text_of(report), "- node-a: rank 0, NVIDIA H200 x 8\n")) << text_of(report);
}

TEST(GemmText, AnUnfinishedSuiteHasNoFigure) {
  GemmReport report = samples::gemm_suite();
  EXPECT_TRUE(says(text_of(report), "MAMFU"));
  report.suite->harmonic_mean.reset();
  report.results.pop_back();
  const std::string text = text_of(report);
  EXPECT_TRUE(says(text, "unknown, since 1 of 3 products was not measured")) << text;
  EXPECT_TRUE(says(text, "| not measured |             - |"));
}

TEST(GemmText, AtOneRateSharesOfTimeAreThoseOfTheOperations) {
  // 32 x 6144 to 32 x 28672 to 128256
  GemmReport report = samples::gemm_suite();
  for (GemmResult& result : report.results) result.rate.mean = 600;
  const std::string text = text_of(report);
  for (const char* share : {"15.8 %", "73.9 %", "10.3 %"}) EXPECT_TRUE(says(text, share)) << text;
}

TEST(GemmText, NumbersThatAreNoneAreNotShownAsNumbers) {
  GemmReport report = samples::gemm_search();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  report.results[0].rate = {nan, nan, nan, nan, nan};
  report.results[0].clock_mhz = nan;
  report.best[0].burst = report.results[0];
  report.best[0].burst->drift_per_s = nan;
  const std::string text = text_of(report);
  EXPECT_TRUE(says(text, "n/a"));
  EXPECT_FALSE(says(text, "nan")) << text;
}

TEST(GemmText, OutsideTextCannotMoveTheCursor) {
  GemmReport report = samples::gemm_shapes();
  const std::string bad = "a\x1b[2Jb\nc";
  report.header.command = {bad};
  report.context.versions = {{"cublaslt", bad}};
  for (GemmResult& result : report.results) result.reason = result.remark = result.algorithm = result.host = bad;
  report.results[0].throttle = {bad};
  report.results[0].device->name = bad;
  report.best[0].burst = report.results[0];
  report.best[0].host = report.best[0].peak.note = report.best[0].peak.datasheet_source = bad;
  report.protocol.shape_rule = report.protocol.rest_rule = bad;
  report.spreads = samples::gemm_devices().spreads;
  for (DeviceReading& reading : report.spreads[0].devices)
    reading.host = reading.device.uuid = reading.device.pci = bad;
  report.suite = samples::gemm_suite().suite;
  report.suite->description = report.suite->entries[0].name = bad;
  const std::string text = text_of(report);
  EXPECT_FALSE(says(text, "\x1b"));
  EXPECT_FALSE(says(text, "b\nc"));
}

TEST(GemmText, OfNothingAtAllIsStillAReport) {
  const std::string text = render_text(GemmReport{}, {});
  EXPECT_TRUE(says(text, "No product was measured."));
  EXPECT_TRUE(says(text, "Verdict: unknown"));
}

TEST(GemmWords, RatesShowATenthOfAPercent) {
  EXPECT_EQ(format_rate(1533.04), "1533.0");
  EXPECT_EQ(format_rate(777.34), "777.3");
  EXPECT_EQ(format_rate(22.414), "22.41");
  EXPECT_EQ(format_rate(2.2414), "2.241");
  EXPECT_EQ(format_rate(0.42131), "0.4213");
  EXPECT_EQ(format_rate(0), "0.0");
  EXPECT_EQ(format_rate(std::numeric_limits<double>::infinity()), "n/a");
}

TEST(GemmWords, KindsSayOutputAndAccumulation) {
  EXPECT_EQ(kind_text({}), "bfloat16 (output bfloat16, float32 accumulation, TN)");
  EXPECT_EQ(kind_text({GemmType::float8_e4m3fn, Accumulation::fast, GemmLayout::tn}),
            "float8_e4m3fn (output bfloat16, fast float32 accumulation, TN)");
  EXPECT_EQ(kind_text({GemmType::float16, Accumulation::half, GemmLayout::nt}),
            "float16 (output float16, float16 accumulation, NT)");
  EXPECT_EQ(kind_text({GemmType::int8, Accumulation::standard, GemmLayout::tn}),
            "int8 (output int32, int32 accumulation, TN)");
}

TEST(GemmWords, OnlyThePowerCapIsNormal) {
  EXPECT_FALSE(is_degraded({}));
  EXPECT_FALSE(is_degraded({"sw_power_cap"}));
  EXPECT_TRUE(is_degraded({"sw_power_cap", "hw_slowdown"}));
  EXPECT_TRUE(is_degraded({"something_new"}));
  EXPECT_EQ(throttle_word({"sw_power_cap", "sw_thermal", "hw_thermal"}), "power+heat");
  EXPECT_EQ(throttle_text({"something_new"}), "held by something_new");
  EXPECT_EQ(throttle_word({}), "-");
}

}  // namespace
}  // namespace shakedown
