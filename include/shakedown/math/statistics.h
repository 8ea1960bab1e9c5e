// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace shakedown {

/// What a set of samples says, in the samples' own unit.
struct Summary {
  double min{};
  double median{};
  double mean{};
  double max{};
  std::optional<double> p99;  ///< nearest rank; none below 100 samples, where it would be invented
  std::size_t samples{};
};

/// Throws std::invalid_argument when there are no samples.
Summary summarize(std::span<const double> samples);

/// Middle value; the mean of the two middle values of an even number. Throws std::invalid_argument on none.
double median_of(std::span<const double> samples);

/// Median distance from the median, scaled by 1.4826 so that it estimates a normal sigma.
double scaled_mad(std::span<const double> samples);

}  // namespace shakedown
