// SPDX-License-Identifier: Apache-2.0
#include "bench/straggler.h"

#include <algorithm>
#include <vector>

namespace shakedown {

namespace {

/// Of two ranks the other one: the mean of both would halve the lead.
double upper_median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace

std::optional<Lead> find_straggler(std::span<const RankSamples> ranks) {
  if (ranks.size() < 2) return std::nullopt;
  std::vector<double> medians;
  std::vector<double> spreads;
  for (const RankSamples& rank : ranks) {
    medians.push_back(rank.median);
    spreads.push_back(rank.spread);
  }
  const auto least = std::min_element(medians.begin(), medians.end()) - medians.begin();
  const auto rank = static_cast<std::size_t>(least);
  const double typical = upper_median(medians);
  const double lead = typical - medians[rank];
  const double noise = 3 * std::max(spreads[rank], upper_median(spreads));
  if (lead <= std::max({noise, typical / 10, 1e-6})) return std::nullopt;
  return Lead{static_cast<int>(rank), lead};
}

}  // namespace shakedown
