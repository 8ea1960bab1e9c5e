// SPDX-License-Identifier: Apache-2.0
#include "compare.h"

#include <algorithm>
#include <cmath>
#include <exception>

#include "shakedown/base/error.h"
#include "shakedown/hw/host.h"
#include "shakedown/math/statistics.h"

namespace shakedown {
namespace {

/// Good chips of one kind differ by a few percent under a power cap; more is a fault: heat, a power brake, a bad
/// module.
constexpr double always_weak = 0.95;
/// Where enough devices say what is usual, three scaled median absolute deviations are unusual; but less than 1 % is
/// not told, since the same chip does not repeat itself much better.
constexpr std::size_t enough_devices = 4;
constexpr double normal_consistency = 1.4826;
constexpr double deviations = 3;
constexpr double least_told = 0.99;

void mark_outliers(DeviceSpread& spread) {
  std::vector<double> deviation;
  for (const DeviceReading& reading : spread.devices) deviation.push_back(std::abs(reading.rate - spread.median));
  double limit = always_weak * spread.median;
  if (deviation.size() >= enough_devices) {
    const double unusual = spread.median - deviations * normal_consistency * median_of(deviation);
    limit = std::max(limit, std::min(unusual, least_told * spread.median));
  }
  for (DeviceReading& reading : spread.devices) reading.outlier = reading.rate < limit;
}

void add_target(std::vector<CompareTarget>& targets, const std::optional<GemmResult>& best) {
  if (!best) return;
  const bool known = std::any_of(targets.begin(), targets.end(), [&](const CompareTarget& target) {
    return target.kind == best->kind && target.mode == best->mode;
  });
  if (!known) targets.push_back({best->kind, best->mode, best->shape, best->algorithm});
}

}  // namespace

std::vector<CompareTarget> targets_of(const GemmReport& report) {
  std::vector<CompareTarget> targets;
  for (const BestGemm& best : report.best) {
    add_target(targets, best.burst);
    add_target(targets, best.sustained);
    add_target(targets, best.mamf_v2);
  }
  return targets;
}

GemmResult measure_target(EngineSeat& seat, const CompareTarget& target, const GemmProtocol& protocol,
                          const GemmTools& tools) {
  GemmResult row;
  row.kind = target.kind;
  row.mode = target.mode;
  row.shape = target.shape;
  row.host = host_name();
  row.status = RowStatus::failed;
  try {
    MatrixEngine& engine = seat.engine(target.kind.type);
    row.device = engine.info().device;
    row.reason = engine.refusal(target.kind);
    if (!row.reason.empty()) return row;
    GemmReport report;
    report.protocol = protocol;
    return measure_one({.engine = engine,
                        .kind = target.kind,
                        .peak = peak_of(engine.info(), target.kind),
                        .report = report,
                        .tools = tools},
                       target.mode, target.shape, target.algorithm);
  } catch (const std::exception& error) {
    row.reason = error.what();
  }
  return row;
}

DeviceReading reading_of(const GemmResult& result, int rank, const std::string& chip) {
  DeviceReading reading;
  reading.host = result.host;
  reading.rank = rank;
  reading.device.index = rank;
  reading.device.name = chip;
  if (result.device) reading.device = *result.device;
  reading.rate = result.rate.median;
  reading.clock_mhz = result.clock_mhz;
  reading.power_w = result.power_w;
  reading.temperature_c = result.temperature_c;
  return reading;
}

DeviceSpread spread_of(const CompareTarget& target, bool together, std::vector<DeviceReading> devices) {
  DeviceSpread spread;
  spread.kind = target.kind;
  spread.mode = target.mode;
  spread.together = together;
  spread.shape = target.shape;
  spread.devices = std::move(devices);
  std::vector<double> rates;
  for (const DeviceReading& reading : spread.devices) rates.push_back(reading.rate);
  if (rates.empty()) return spread;
  spread.min = *std::min_element(rates.begin(), rates.end());
  spread.max = *std::max_element(rates.begin(), rates.end());
  spread.median = median_of(rates);
  mark_outliers(spread);
  return spread;
}

}  // namespace shakedown
