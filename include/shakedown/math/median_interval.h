// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

namespace shakedown {

/// An interval that holds the true median with at least 95 % probability, whatever the distribution.
struct Interval {
  double low{}, high{};
};

/// From order statistics (binomial): min and max for six samples, ranks 10 and 21 of 30. None below six. Assumes that
/// samples are independent.
std::optional<Interval> median_interval_95(std::span<const double> samples);

/// Median of the slopes between all pairs, in values a unit of `times`; robust against a quarter of outliers. None
/// below three samples or without two different times. Of more than 2000 samples every second (third ...) is taken,
/// since the pairs grow with their square. Throws std::invalid_argument when the lengths differ.
std::optional<double> theil_sen_slope(std::span<const double> times, std::span<const double> values);

/// Whether a series has a trend: Mann-Kendall's test, two-sided at 5 % (normal approximation with ties, from eight
/// samples on; false below). Takes every second (third ...) of more than 2000 samples, too.
bool has_trend(std::span<const double> values);

}  // namespace shakedown
