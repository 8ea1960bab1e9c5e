// SPDX-License-Identifier: Apache-2.0
#include "bench/straggler.h"

#include <algorithm>
#include <vector>

#include "shakedown/math/statistics.h"

namespace shakedown {

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
  const double typical = median_of(medians);
  const double lead = typical - medians[rank];
  const double noise = 3 * std::max(spreads[rank], median_of(spreads));
  if (lead <= std::max({noise, typical / 10, 1e-6})) return std::nullopt;
  return Lead{static_cast<int>(rank), lead};
}

}  // namespace shakedown
