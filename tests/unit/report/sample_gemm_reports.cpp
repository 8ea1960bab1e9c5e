// SPDX-License-Identifier: Apache-2.0
#include "unit/report/sample_gemm_reports.h"

#include <fmt/format.h>

#include "shakedown/math/gemm_cost.h"
#include "shakedown/math/median_interval.h"
#include "shakedown/math/statistics.h"

namespace shakedown::samples {
namespace {

DeviceInfo gpu(int index) {
  return {index, "NVIDIA H200", fmt::format("GPU-{:08}", index), fmt::format("0000:{:02x}:00.0", 0x1b + index),
          Bytes{150'000'000'000}};
}

GemmPeak h200_peak() {
  GemmPeak peak;
  peak.datasheet = 989.4;
  peak.datasheet_source = "NVIDIA H200 datasheet";
  peak.per_clock = 4096;
  peak.units = 132;
  peak.max_clock_mhz = 1980;
  return peak;
}

GemmReport complete_run(int gpus) {
  GemmReport report;
  report.header.tool = "mamf_finder";
  report.header.tool_version = "0.1.0";
  report.header.complete = true;
  report.header.started_at = "2026-11-30T12:00:00Z";
  report.header.duration = Seconds{47.1};
  report.header.command = {"mamf_finder", "--dtype", "bfloat16"};
  report.context.backend = "cuda";
  report.context.backend_reason = fmt::format("auto: {} GPU{}", gpus, gpus == 1 ? "" : "s");
  report.context.versions = {{"driver", "580.95.05"},
                             {"cublaslt", "13.1.0"},
                             {"cublaslt_path", "/usr/lib/x86_64-linux-gnu/libcublasLt.so.13"}};
  for (int index = 0; index < gpus; ++index) report.context.ranks.push_back({index, index, "node-a", 4000, gpu(index)});
  report.protocol.kinds = {GemmKind{}};
  report.protocol.seed = 42;
  report.protocol.shape_rule = "search";
  report.protocol.budget = Seconds{45};
  report.protocol.rest = Seconds{0.1};
  report.protocol.rest_rule = "until the SM clock is back";
  report.protocol.burst_calls = 5;
  report.protocol.least_samples = 6;
  report.protocol.soak = Seconds{6};
  report.protocol.sustained_time = Seconds{2};
  report.protocol.algorithms = 8;
  report.checks = {{"products", CheckStatus::pass, "every finalist's product was right"}};
  return report;
}

GemmResult on_gpu(GemmResult result, int index) {
  result.device = gpu(index);
  result.algorithm = "nvjet tile 128x256 stages 4 split-K 1";
  result.clock_mhz = 1950;
  result.temperature_c = 41;
  if (result.mode == GemmMode::sustained) {
    result.clock_mhz = 1530;
    result.power_w = 698.6;
    result.temperature_c = 63;
    result.throttle = {"sw_power_cap"};
  }
  return result;
}

BestGemm best_on_gpu(const GemmResult& burst, const std::optional<GemmResult>& sustained) {
  BestGemm best;
  best.kind = burst.kind;
  best.device = burst.device;
  best.host = burst.host;
  best.peak = h200_peak();
  best.burst = burst;
  best.sustained = sustained;
  return best;
}

}  // namespace

GemmResult gemm_result(const GemmShape& shape, GemmMode mode, const std::vector<double>& samples) {
  GemmResult result;
  result.shape = shape;
  result.mode = mode;
  result.host = "node-a";
  const Summary time = summarize(samples);
  result.time_s = {time.min, time.median, time.mean, time.max, time.p99, time.samples};
  std::vector<double> rates;
  rates.reserve(samples.size());
  for (const double seconds : samples) rates.push_back(operations_of(shape) / seconds / 1e12);
  const Summary rate = summarize(rates);
  result.rate = {operations_of(shape) / time.mean / 1e12, rate.median, rate.max, {}, {}};
  if (const auto interval = median_interval_95(rates)) {
    result.rate.ci95_low = interval->low;
    result.rate.ci95_high = interval->high;
  }
  result.calls_per_sample = mode == GemmMode::mamf_v2 ? 1 : 5;
  result.places = 3;
  result.stopped_by = "interval";
  result.verified = true;
  return result;
}

GemmReport gemm_search() {
  GemmReport report = complete_run(1);
  const GemmShape winner{2048, 4224, 18944}, steady{3072, 2816, 16384};
  report.results = {
      on_gpu(gemm_result(winner, GemmMode::burst, {394.7e-6, 394.9e-6, 394.5e-6, 395.1e-6, 394.8e-6, 394.6e-6}), 0),
      on_gpu(gemm_result(steady, GemmMode::sustained, {402.1e-6, 403e-6, 402.5e-6, 402e-6, 403.5e-6, 402.3e-6}), 0)};
  report.results[1].drift_per_s = -0.0081;
  for (const GemmShape& shape : {winner, steady, GemmShape{4096, 4096, 4096}, winner})
    report.screened.push_back({shape, "nvjet tile 128x256 stages 4 split-K 1", GemmMode::burst, 780.25, 3});
  report.best = {best_on_gpu(report.results[0], report.results[1])};
  return report;
}

GemmReport gemm_shapes() {
  GemmReport report = complete_run(1);
  report.protocol.task = GemmTask::shapes;
  report.protocol.shapes = 6;
  report.protocol.shape_rule = "m 7 and 1024 to 8192, n and k 4096";
  report.protocol.budget = Seconds{};
  for (const std::uint64_t m : {1024u, 2048u, 4096u}) {
    const double seconds = static_cast<double>(m) * 1.8e-7 + 2e-6;
    report.results.push_back(
        on_gpu(gemm_result({m, 4096, 4096}, GemmMode::burst, {seconds, seconds * 1.001, seconds * 0.999}), 0));
  }
  report.results[1].verified.reset();
  report.results[2].remark = "one of 4 samples was slower than the others";
  report.results[2].throttle = {"hw_thermal", "sw_power_cap"};
  GemmResult skipped;
  skipped.shape = {7, 4096, 4096};
  skipped.host = "node-a";
  skipped.device = gpu(0);
  skipped.status = RowStatus::skipped;
  skipped.reason = "m is 7, and must be a multiple of 16 for this type";
  GemmResult also_skipped = skipped;
  also_skipped.shape = {9, 4096, 4096};
  also_skipped.reason = skipped.reason;
  GemmResult failed = skipped;
  failed.shape = {8192, 4096, 4096};
  failed.status = RowStatus::failed;
  failed.verified = false;
  failed.reason =
      "12 of 256 checked elements are wrong; the first: row 17, column 4: got 0, expected 81.2, allowed 0.7";
  report.results.insert(report.results.end(), {skipped, failed, also_skipped});
  report.best = {best_on_gpu(report.results[2], std::nullopt)};
  report.checks = {{"products", CheckStatus::fail, "1 product of 6 was wrong"}};
  return report;
}

GemmReport gemm_cpu() {
  GemmReport report = complete_run(0);
  report.context.backend = "cpu";
  report.context.backend_reason = "auto: no NVIDIA driver";
  report.context.versions = {
      {"chip", "AMD EPYC 9B14"}, {"matrix_library", "oneDNN 2.6.3 (avx512_core_bf16)"}, {"onednn", "2.6.3"}};
  report.context.ranks = {{0, 0, "laptop", 4000, std::nullopt}};
  report.protocol.kinds = {GemmKind{GemmType::int8, Accumulation::standard, GemmLayout::tn}};
  GemmResult result =
      gemm_result({2048, 2048, 2048}, GemmMode::burst, {20.1e-3, 20.2e-3, 20.0e-3, 20.3e-3, 20.15e-3, 20.1e-3});
  result.kind = report.protocol.kinds[0];
  result.host = "laptop";
  result.algorithm = "brg:avx512_core_vnni";
  report.results = {result};
  BestGemm best;
  best.kind = result.kind;
  best.host = result.host;
  best.peak.per_clock = 128;
  best.peak.units = 2;
  best.peak.unit_name = "cores";
  best.peak.max_clock_mhz = 3500;
  best.peak.estimated = true;
  best.burst = result;
  report.best = {best};
  return report;
}

GemmReport gemm_devices() {
  GemmReport report = complete_run(8);
  DeviceSpread spread;
  spread.together = true;
  spread.shape = {3072, 2816, 16384};
  for (int index = 0; index < 8; ++index) {
    const double seconds = index == 3 ? 430e-6 : 402e-6 + index * 1e-7;
    report.results.push_back(on_gpu(
        gemm_result(spread.shape, GemmMode::sustained, {seconds, seconds, seconds, seconds, seconds, seconds}), index));
    const GemmResult& result = report.results.back();
    spread.devices.push_back({"node-a", index, gpu(index), result.rate.median, result.clock_mhz, result.power_w,
                              result.temperature_c, index == 3});
  }
  std::vector<double> rates;
  for (const DeviceReading& reading : spread.devices) rates.push_back(reading.rate);
  const Summary summary = summarize(rates);
  spread.min = summary.min;
  spread.median = summary.median;
  spread.max = summary.max;
  report.spreads = {spread};
  report.checks = {{"devices", CheckStatus::warn, "GPU 3 of node-a is 6.5 % below the median"}};
  return report;
}

GemmReport gemm_suite() {
  GemmReport report = complete_run(1);
  report.protocol.task = GemmTask::model;
  report.protocol.modes = {GemmMode::sustained};
  report.protocol.shapes = 3;
  report.protocol.shape_rule = "a transformer's products";
  SuiteSummary suite;
  suite.description =
      "hidden 4096, 32 layers, sequence 4096; attention's own products (scores and values) are left out";
  const std::vector<std::pair<std::string, GemmShape>> products = {{"qkv, forward", {4096, 6144, 4096}},
                                                                   {"ffn up and gate, forward", {4096, 28672, 4096}},
                                                                   {"vocabulary, forward", {4096, 128256, 4096}}};
  double seconds = 0;
  for (const auto& [name, shape] : products) {
    const double count = name == "vocabulary, forward" ? 1 : 32;
    const double each = operations_of(shape) / 650e12 + 20e-6;
    suite.entries.push_back({name, shape, count, report.results.size()});
    report.results.push_back(on_gpu(gemm_result(shape, GemmMode::sustained, std::vector<double>(6, each)), 0));
    suite.operations += count * operations_of(shape);
    seconds += count * each;
  }
  suite.harmonic_mean = suite.operations / seconds / 1e12;
  report.suite = suite;
  return report;
}

GemmReport gemm_two_kinds() {
  GemmReport report = complete_run(1);
  report.protocol.kinds = {GemmKind{GemmType::float8_e4m3fn, Accumulation::fast, GemmLayout::tn},
                           GemmKind{GemmType::int8, Accumulation::standard, GemmLayout::tn}};
  report.protocol.modes = {GemmMode::mamf_v2};
  report.protocol.data = GemmData::zeros;
  report.protocol.flushed_warmups = 50;
  report.protocol.flushed_calls = 100;
  for (const GemmKind& kind : report.protocol.kinds) {
    GemmResult result = on_gpu(gemm_result({8192, 8192, 8192}, GemmMode::mamf_v2, {720e-6, 725e-6}), 0);
    result.kind = kind;
    result.clock_mhz.reset();
    result.temperature_c.reset();
    report.results.push_back(result);
    BestGemm best = best_on_gpu(result, std::nullopt);
    best.burst.reset();
    best.mamf_v2 = result;
    best.peak = GemmPeak{};
    report.best.push_back(best);
  }
  return report;
}

GemmReport gemm_interrupted() {
  GemmReport report = gemm_search();
  report.header.complete = false;
  report.results.clear();
  report.best.clear();
  report.checks.clear();
  report.ended_early = "stopped by SIGINT";
  return report;
}

}  // namespace shakedown::samples
