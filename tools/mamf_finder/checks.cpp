// SPDX-License-Identifier: Apache-2.0
#include "checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compare.h"

namespace shakedown {
namespace {

/// A trend that moves the rate by 2 % over the four seconds that count: the chip had not settled.
constexpr double settled_per_s = 0.005;
/// Half of the 95 % interval, as a fraction; a chip that nobody else uses stays below 1 %.
constexpr double widest_interval = 0.05;
constexpr double percent = 100;

const std::optional<GemmResult>& in_mode(const BestGemm& best, GemmMode mode) {
  if (mode == GemmMode::burst) return best.burst;
  return mode == GemmMode::sustained ? best.sustained : best.mamf_v2;
}

/// A wrong product fails the run; one that nobody compared is said to be so.
Check check_data(const GemmReport& report) {
  int right = 0;
  int unchecked = 0;
  for (const GemmResult& row : report.results) {
    if (row.verified == false)
      return {
          "data", CheckStatus::fail,
          fmt::format("{} {} in {}: {}", describe(row.kind), format_shape(row.shape), name_of(row.mode), row.reason)};
    if (row.verified) ++right;
  }
  for (const BestGemm& best : report.best)
    for (const GemmMode mode : report.protocol.modes)
      if (const auto& row = in_mode(best, mode); row && !row->verified) ++unchecked;
  if (unchecked > 0)
    return {"data", CheckStatus::unknown, fmt::format("the product of {} headline figures was not checked", unchecked)};
  if (right == 0) return {"data", CheckStatus::unknown, "no product was checked"};
  return {"data", CheckStatus::pass, fmt::format("sampled elements of {} products are right", right)};
}

/// Whether each kind has each figure that was asked for.
Check check_figures(const GemmReport& report) {
  std::string missing;
  for (const GemmKind& kind : report.protocol.kinds)
    for (const GemmMode mode : report.protocol.modes) {
      const bool there = std::any_of(report.best.begin(), report.best.end(), [&](const BestGemm& best) {
        return best.kind == kind && in_mode(best, mode).has_value();
      });
      if (!there) missing += fmt::format("{}{} {}", missing.empty() ? "" : ", ", describe(kind), name_of(mode));
    }
  if (missing.empty()) return {"figures", CheckStatus::pass, "every figure that was asked for is there"};
  return {"figures", CheckStatus::unknown, "no figure of " + missing};
}

Check check_shapes(const GemmReport& report) {
  std::size_t measured = 0;
  std::size_t skipped = 0;
  std::size_t failed = 0;
  for (const GemmResult& row : report.results) {
    measured += row.status == RowStatus::ok ? 1 : 0;
    skipped += row.status == RowStatus::skipped ? 1 : 0;
    failed += row.status == RowStatus::failed ? 1 : 0;
  }
  if (measured == 0) return {"shapes", CheckStatus::unknown, "no shape was measured"};
  if (skipped + failed == 0) return {"shapes", CheckStatus::pass, "every shape was measured"};
  return {"shapes", CheckStatus::warn,
          fmt::format("of {} rows {} skipped and {} failed", report.results.size(), skipped, failed)};
}

/// bench marks each row that is above the peak; a GPU's is not taken as the best, a CPU's peak is our own estimate.
Check check_peak(const GemmReport& report) {
  int above = 0;
  bool known = false;
  std::string first;
  for (const GemmResult& row : report.results) {
    if (row.remark.rfind("above the peak", 0) != 0) continue;
    if (above++ == 0) first = fmt::format("{}: {}", format_shape(row.shape), row.remark);
  }
  // Where neither the highest clock nor the measured one is told, nobody can judge.
  for (const BestGemm& best : report.best)
    for (const GemmMode mode : report.protocol.modes)
      if (const auto& row = in_mode(best, mode))
        known = known || best.peak.at(best.peak.max_clock_mhz ? best.peak.max_clock_mhz : row->clock_mhz).has_value();
  if (above > 0)
    return {"peak", CheckStatus::warn,
            above == 1 ? first : fmt::format("{} rows are above the peak; {}", above, first)};
  if (!known) return {"peak", CheckStatus::unknown, "the peak of this chip is not known"};
  return {"peak", CheckStatus::pass, "no figure is above the peak"};
}

/// Other work on the same chip or cores shows as a wide interval, or as a winner that falls when it is measured again.
Check check_interval(const GemmReport& report) {
  bool known = false;
  std::string wide;
  for (const BestGemm& best : report.best)
    for (const GemmMode mode : report.protocol.modes) {
      const auto& row = in_mode(best, mode);
      if (!row || !row->rate.ci95_low || !row->rate.ci95_high) continue;
      known = true;
      const double half = (*row->rate.ci95_high - *row->rate.ci95_low) / 2 / row->rate.median;
      if (half > widest_interval)
        wide += fmt::format("{}{} of {}: +-{:.0f} %", wide.empty() ? "" : ", ", name_of(mode), describe(best.kind),
                            percent * half);
    }
  if (!wide.empty())
    return {"interval", CheckStatus::warn,
            "the figures are unsteady (" + wide + "): does other work use this chip or these cores?"};
  if (!known) return {"interval", CheckStatus::unknown, "too few samples for an interval"};
  return {"interval", CheckStatus::pass, "the intervals of the figures are narrow"};
}

Check check_drift(const GemmReport& report) {
  bool asked = false;
  double worst = 0;
  for (const BestGemm& best : report.best) {
    if (!best.sustained) continue;
    if (!best.sustained->drift_per_s)
      return {"drift", CheckStatus::unknown, "too few samples to tell whether the sustained rate had settled"};
    asked = true;
    if (std::abs(*best.sustained->drift_per_s) > std::abs(worst)) worst = *best.sustained->drift_per_s;
  }
  if (!asked) return {"drift", CheckStatus::unknown, "no sustained figure"};
  if (std::abs(worst) > settled_per_s)
    return {"drift", CheckStatus::warn,
            fmt::format("the sustained rate still {} by {:.1f} % a second: the chip had not settled",
                        worst < 0 ? "fell" : "rose", percent * std::abs(worst))};
  return {"drift", CheckStatus::pass, "the sustained rate had settled"};
}

/// A CPU has no number of its own, but a rank.
std::string name_device(const DeviceReading& reading) {
  const DeviceInfo& device = reading.device;
  if (device.uuid.empty()) return fmt::format("rank {} on {} ({})", reading.rank, reading.host, device.name);
  return fmt::format("GPU {} on {} ({}, {})", device.index, reading.host, device.uuid, device.pci);
}

Check check_devices(const GemmReport& report) {
  std::string weak;
  for (const DeviceSpread& spread : report.spreads)
    for (const DeviceReading& reading : spread.devices) {
      const std::string name = name_device(reading);
      if (!reading.outlier || weak.find(name) != std::string::npos) continue;
      weak += fmt::format("{}{}: {:.1f} of a median of {:.1f} {} in {}", weak.empty() ? "" : "; ", name, reading.rate,
                          spread.median, rate_unit_of(spread.kind.type), name_of(spread.mode));
    }
  std::string broken;
  for (const GemmResult& row : report.results) {
    if (row.remark != comparison_remark) continue;
    const std::string place = row.device ? fmt::format("GPU {} on {} ({}, {})", row.device->index, row.host,
                                                       row.device->uuid, row.device->pci)
                                         : "the CPU of " + row.host;
    if (broken.find(place) == std::string::npos)
      broken += fmt::format("{}{}: {}", broken.empty() ? "" : "; ", place, row.reason);
  }
  if (!broken.empty()) return {"devices", CheckStatus::fail, "could not be measured beside the others: " + broken};
  if (!weak.empty()) return {"devices", CheckStatus::warn, "slower than the others: " + weak};
  return {"devices", CheckStatus::pass, "no device is slower than the others"};
}

/// The lowest rate that the bar holds for: of every device, or of a model's products together.
std::optional<double> lowest_rate(const GemmReport& report, GemmMode mode) {
  if (report.protocol.task == GemmTask::model) return report.suite ? report.suite->harmonic_mean : std::nullopt;
  std::optional<double> lowest;
  const auto take = [&](double rate) { lowest = lowest ? std::min(*lowest, rate) : rate; };
  for (const BestGemm& best : report.best)
    if (const auto& row = in_mode(best, mode)) take(row->rate.median);
  for (const DeviceSpread& spread : report.spreads)
    if (spread.mode == mode && !spread.devices.empty()) take(spread.min);
  return lowest;
}

Check check_min_rate(const GemmReport& report, const MinimumRate& minimum) {
  const GemmMode mode = minimum.mode.value_or(report.protocol.modes.front());
  const std::string_view unit =
      report.protocol.kinds.empty() ? "TFLOPS" : rate_unit_of(report.protocol.kinds.front().type);
  const auto rate = lowest_rate(report, mode);
  if (!rate)
    return {"min_tflops", CheckStatus::unknown,
            fmt::format("no {} figure was measured; {:g} {} was asked for", name_of(mode), minimum.value, unit)};
  return {"min_tflops", *rate < minimum.value ? CheckStatus::fail : CheckStatus::pass,
          fmt::format("{} is {:.1f} {}, {:g} was asked for", name_of(mode), *rate, unit, minimum.value)};
}

}  // namespace

std::vector<Check> checks_of(const GemmReport& report, const Options& options) {
  std::vector<Check> checks{check_data(report), check_figures(report), check_peak(report), check_interval(report)};
  if (report.protocol.task != GemmTask::search) checks.push_back(check_shapes(report));
  if (options.measures(GemmMode::sustained)) checks.push_back(check_drift(report));
  if (!report.spreads.empty()) checks.push_back(check_devices(report));
  if (options.min_rate) checks.push_back(check_min_rate(report, *options.min_rate));
  apply_require(checks, options.require);
  return checks;
}

}  // namespace shakedown
