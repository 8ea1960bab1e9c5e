// SPDX-License-Identifier: Apache-2.0
#include "shakedown/math/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace shakedown {
namespace {

constexpr std::size_t least_samples_for_p99 = 100;
constexpr double normal_sigma_per_mad = 1.4826;  // 1 / the 75th percentile of the standard normal distribution

std::vector<double> sorted(std::span<const double> samples) {
  if (samples.empty()) throw std::invalid_argument("no statistics without samples");
  std::vector<double> values(samples.begin(), samples.end());
  std::sort(values.begin(), values.end());
  return values;
}

double middle_of(const std::vector<double>& rising) {
  const std::size_t half = rising.size() / 2;
  return rising.size() % 2 == 1 ? rising[half] : std::midpoint(rising[half - 1], rising[half]);
}

}  // namespace

Summary summarize(std::span<const double> samples) {
  const std::vector<double> rising = sorted(samples);
  const std::size_t n = rising.size();
  Summary summary{.min = rising.front(),
                  .median = middle_of(rising),
                  .mean = std::accumulate(rising.begin(), rising.end(), 0.0) / static_cast<double>(n),
                  .max = rising.back(),
                  .p99 = std::nullopt,
                  .samples = n};
  // Rounding may carry the mean of equal samples past them.
  summary.mean = std::clamp(summary.mean, summary.min, summary.max);
  if (n >= least_samples_for_p99) summary.p99 = rising[n - n / 100 - 1];
  return summary;
}

double median_of(std::span<const double> samples) { return middle_of(sorted(samples)); }

double scaled_mad(std::span<const double> samples) {
  const double median = median_of(samples);
  std::vector<double> distances;
  distances.reserve(samples.size());
  for (const double sample : samples) distances.push_back(std::abs(sample - median));
  return normal_sigma_per_mad * median_of(distances);
}

}  // namespace shakedown
