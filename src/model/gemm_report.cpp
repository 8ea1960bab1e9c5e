// SPDX-License-Identifier: Apache-2.0
#include "shakedown/model/gemm_report.h"

#include <cmath>

namespace shakedown {
namespace {

std::optional<double> fraction(double rate, std::optional<double> peak) {
  if (!peak || !(*peak > 0) || !std::isfinite(rate)) return {};
  return rate / *peak;
}

}  // namespace

std::string_view name_of(GemmMode mode) {
  switch (mode) {
    case GemmMode::burst:
      return "burst";
    case GemmMode::sustained:
      return "sustained";
    case GemmMode::mamf_v2:
      return "mamf-v2";
  }
  return "unknown";
}

std::optional<double> GemmPeak::at(std::optional<double> clock_mhz) const {
  if (!per_clock || !clock_mhz || units <= 0) return {};
  return units * *per_clock * *clock_mhz / 1e6;
}

bool GemmPeak::is_exceeded_by(double rate, std::optional<double> clock_mhz) const {
  constexpr double tolerance = 1.01;  // of the clock that is told, against the one that is counted
  const std::optional<double> most = at(max_clock_mhz ? max_clock_mhz : clock_mhz);
  return most && rate > tolerance * *most;
}

Efficiency efficiency_of(const GemmResult& result, const GemmPeak& peak) {
  if (result.status != RowStatus::ok) return {};
  const double rate = result.rate.median;
  return {fraction(rate, peak.datasheet), fraction(rate, peak.at(peak.max_clock_mhz)),
          fraction(rate, peak.at(result.clock_mhz))};
}

}  // namespace shakedown
