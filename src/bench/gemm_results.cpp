// SPDX-License-Identifier: Apache-2.0
#include "bench/gemm_results.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "shakedown/base/stage_board.h"
#include "shakedown/hw/host.h"
#include "shakedown/math/gemm_cost.h"
#include "shakedown/math/median_interval.h"
#include "shakedown/math/statistics.h"

namespace shakedown {
namespace {

constexpr double tera = 1e12;
constexpr double goes_together = 0.3;
constexpr std::size_t least_for_interval = 6;
/// What Mann-Kendall's test needs; with fewer nobody knows.
constexpr std::size_t least_for_trend = 8;
constexpr int verified_samples = 64;

double autocorrelation(const std::vector<double>& values) {
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  double above = 0;
  double below = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    below += (values[i] - mean) * (values[i] - mean);
    if (i > 0) above += (values[i] - mean) * (values[i - 1] - mean);
  }
  return below > 0 ? above / below : 0;
}

/// Neighbouring windows joined in pairs; a last one without a partner stays out.
std::vector<GemmSample> join_pairs(const std::vector<GemmSample>& samples) {
  std::vector<GemmSample> joined;
  joined.reserve(samples.size() / 2);
  for (std::size_t i = 0; i + 1 < samples.size(); i += 2) {
    GemmSample sample = samples[i + 1];
    sample.per_call = (samples[i].per_call + samples[i + 1].per_call) / 2;
    if (samples[i].clock_mhz && sample.clock_mhz) sample.clock_mhz = (*samples[i].clock_mhz + *sample.clock_mhz) / 2;
    joined.push_back(sample);
  }
  return joined;
}

std::vector<double> seconds_of(const std::vector<GemmSample>& samples) {
  std::vector<double> seconds;
  seconds.reserve(samples.size());
  for (const GemmSample& sample : samples) seconds.push_back(sample.per_call.count());
  return seconds;
}

std::optional<double> median_clock(const std::vector<GemmSample>& samples) {
  std::vector<double> clocks;
  for (const GemmSample& sample : samples)
    if (sample.clock_mhz) clocks.push_back(*sample.clock_mhz);
  if (clocks.empty()) return std::nullopt;
  return median_of(clocks);
}

void fill_rates(GemmResult& result, const std::vector<GemmSample>& samples) {
  const double work = operations_of(result.shape) / tera;
  const std::vector<double> seconds = seconds_of(samples);
  const Summary summary = summarize(seconds);
  result.time_s = {.min = summary.min,
                   .median = summary.median,
                   .mean = summary.mean,
                   .max = summary.max,
                   .p99 = summary.p99,
                   .samples = summary.samples};
  result.rate = {.mean = work / summary.mean,
                 .median = work / summary.median,
                 .max = work / summary.min,
                 .ci95_low = {},
                 .ci95_high = {}};
  if (const auto interval = median_interval_95(seconds)) {
    result.rate.ci95_low = work / interval->high;
    result.rate.ci95_high = work / interval->low;
  }
}

/// The trend as a fraction of the rate a second; a series without one has no drift rather than a small one.
std::optional<double> drift_of(const std::vector<GemmSample>& samples) {
  std::vector<double> times;
  std::vector<double> rates;
  for (const GemmSample& sample : samples) {
    times.push_back(sample.at_s);
    rates.push_back(1 / sample.per_call.count());
  }
  const auto slope = theil_sen_slope(times, rates);
  if (!slope || rates.size() < least_for_trend) return std::nullopt;
  return has_trend(rates) ? *slope / median_of(rates) : 0.0;
}

GemmResult empty_result(const GemmBench& bench, GemmMode mode, const GemmShape& shape) {
  GemmResult result;
  result.shape = shape;
  result.kind = bench.kind;
  result.mode = mode;
  result.device = bench.engine.info().device;
  result.host = host_name();
  return result;
}

bool same_device(const std::optional<DeviceInfo>& a, const std::optional<DeviceInfo>& b) {
  return a.has_value() == b.has_value() && (!a || (a->index == b->index && a->uuid == b->uuid));
}

}  // namespace

GemmResult result_of(const GemmBench& bench, GemmMode mode, const PreparedGemm& gemm, const GemmSeries& series) {
  GemmResult result = empty_result(bench, mode, gemm.shape());
  std::vector<GemmSample> samples = series.samples;
  int joined = 1;
  if (mode == GemmMode::sustained)
    while (samples.size() >= 2 * least_for_interval && autocorrelation(seconds_of(samples)) >= goes_together) {
      samples = join_pairs(samples);
      joined *= 2;
    }
  fill_rates(result, samples);
  result.calls_per_sample = series.calls_per_sample * joined;
  result.places = gemm.places();
  result.algorithm = gemm.algorithm();
  result.clock_mhz = median_clock(samples);
  result.power_w = series.power_w;
  result.temperature_c = series.temperature_c;
  result.throttle = series.throttle;
  // Of the windows as they came: joined ones are too few for the test.
  result.drift_per_s = drift_of(series.samples);
  result.stopped_by = series.stopped_by;
  return result;
}

GemmResult unmeasured(const GemmBench& bench, GemmMode mode, const GemmShape& shape, RowStatus status,
                      const std::string& reason) {
  GemmResult result = empty_result(bench, mode, shape);
  result.status = status;
  result.reason = reason;
  return result;
}

void verify_result(const GemmBench& bench, PreparedGemm& gemm, GemmResult& result) {
  bench.tools.board.enter(Stage::data_check);
  const GemmVerification found = bench.engine.verify(gemm, verified_samples, bench.report.protocol.seed);
  bench.tools.board.enter(Stage::timed_loop);
  if (found.checked == 0) return;
  result.verified = found.wrong == 0;
  if (*result.verified) return;
  result.status = RowStatus::failed;
  result.reason = fmt::format("wrong product: {} of {} compared elements are off; {}", found.wrong, found.checked,
                              found.first_wrong);
}

BestGemm& best_entry(const GemmBench& bench) {
  auto& best = bench.report.best;
  const auto& device = bench.engine.info().device;
  const auto found = std::find_if(best.begin(), best.end(), [&](const BestGemm& entry) {
    return entry.kind == bench.kind && same_device(entry.device, device);
  });
  if (found != best.end()) return *found;
  BestGemm entry;
  entry.kind = bench.kind;
  entry.device = device;
  entry.host = host_name();
  entry.peak = bench.peak;
  best.push_back(entry);
  return best.back();
}

std::optional<GemmResult>& best_in_mode(const GemmBench& bench, GemmMode mode) {
  BestGemm& entry = best_entry(bench);
  if (mode == GemmMode::burst) return entry.burst;
  return mode == GemmMode::sustained ? entry.sustained : entry.mamf_v2;
}

void offer_best(const GemmBench& bench, GemmResult& result) {
  const auto& modes = bench.report.protocol.modes;
  if (std::find(modes.begin(), modes.end(), result.mode) == modes.end()) return;
  if (result.status != RowStatus::ok || result.verified == false) return;
  if (bench.peak.is_exceeded_by(result.rate.median, result.clock_mhz)) {
    const auto clock = bench.peak.max_clock_mhz ? bench.peak.max_clock_mhz : result.clock_mhz;
    const std::string above = fmt::format("above the peak of {:.1f} {} at {:.0f} MHz", *bench.peak.at(clock),
                                          rate_unit_of(bench.kind.type), *clock);
    if (!bench.peak.estimated) {
      result.remark = above + ", so the time or the product is wrong: not taken as the best";
      return;
    }
    result.remark = above + ", which is our own estimate";
  }
  std::optional<GemmResult>& best = best_in_mode(bench, result.mode);
  if (!best || result.rate.median > best->rate.median) best = result;
}

}  // namespace shakedown
