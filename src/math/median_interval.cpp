// SPDX-License-Identifier: Apache-2.0
#include "shakedown/math/median_interval.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "shakedown/math/statistics.h"

namespace shakedown {
namespace {

constexpr std::size_t least_samples_for_interval = 6;  // min to max of five holds the median in 93.75 % only
constexpr std::size_t least_samples_for_slope = 3;
constexpr std::size_t least_samples_for_trend = 8;
constexpr std::size_t most_samples_in_pairs = 2000;
constexpr double most_outside = 0.05;
constexpr double two_sided_normal = 1.959964;  // 97.5 % of the standard normal distribution lie below

/// The largest r such that at least 95 % of all sets of n samples have the true median between their r-th smallest and
/// their r-th largest: fewer than r of n fair coins show heads with a probability of at most 2.5 %.
std::size_t rank_of_interval(std::size_t n) {
  const double count = static_cast<double>(n);
  double log_probability = -count * std::numbers::ln2;  // of no heads; 2^-n itself is 0 beyond n = 1074
  double below = 0;
  for (std::size_t heads = 0; heads < n / 2; ++heads) {
    below += std::exp(log_probability);
    if (2 * below > most_outside) return heads;
    log_probability += std::log((count - static_cast<double>(heads)) / (static_cast<double>(heads) + 1));
  }
  return n / 2;
}

std::vector<double> thinned(std::span<const double> values) {
  const std::size_t stride = (values.size() + most_samples_in_pairs - 1) / most_samples_in_pairs;
  std::vector<double> kept;
  for (std::size_t i = 0; i < values.size(); i += stride) kept.push_back(values[i]);
  return kept;
}

/// How much ties take from the variance of Mann and Kendall's sum: t(t-1)(2t+5) for each t equal values.
double tie_term(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  double sum = 0;
  for (auto first = values.begin(); first != values.end();) {
    const auto last = std::upper_bound(first, values.end(), *first);
    const double equal = static_cast<double>(last - first);
    sum += equal * (equal - 1) * (2 * equal + 5);
    first = last;
  }
  return sum;
}

}  // namespace

std::optional<Interval> median_interval_95(std::span<const double> samples) {
  if (samples.size() < least_samples_for_interval) return std::nullopt;
  std::vector<double> rising(samples.begin(), samples.end());
  std::sort(rising.begin(), rising.end());
  const std::size_t rank = rank_of_interval(rising.size());
  return Interval{rising[rank - 1], rising[rising.size() - rank]};
}

std::optional<double> theil_sen_slope(std::span<const double> times, std::span<const double> values) {
  if (times.size() != values.size()) throw std::invalid_argument("a slope needs one time for each value");
  if (times.size() < least_samples_for_slope) return std::nullopt;
  const std::vector<double> x = thinned(times);
  const std::vector<double> y = thinned(values);
  std::vector<double> slopes;
  slopes.reserve(x.size() * (x.size() - 1) / 2);
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t j = i + 1; j < x.size(); ++j) {
      if (x[i] != x[j]) slopes.push_back((y[j] - y[i]) / (x[j] - x[i]));
    }
  }
  if (slopes.empty()) return std::nullopt;
  return median_of(slopes);
}

bool has_trend(std::span<const double> values) {
  if (values.size() < least_samples_for_trend) return false;
  const std::vector<double> series = thinned(values);
  double rises_over_falls = 0;
  for (std::size_t i = 0; i < series.size(); ++i) {
    for (std::size_t j = i + 1; j < series.size(); ++j) {
      rises_over_falls += (series[j] > series[i] ? 1.0 : 0.0) - (series[j] < series[i] ? 1.0 : 0.0);
    }
  }
  const double n = static_cast<double>(series.size());
  const double variance = (n * (n - 1) * (2 * n + 5) - tie_term(series)) / 18;
  if (variance <= 0) return false;
  // The sum moves in steps of two, so one is taken off (continuity correction).
  return (std::abs(rises_over_falls) - 1) / std::sqrt(variance) > two_sided_normal;
}

}  // namespace shakedown
