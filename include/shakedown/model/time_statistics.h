// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace shakedown {

/// Statistics of the samples of one row, in seconds for one call.
struct TimeStatistics {
  double min{}, median{}, mean{}, max{};
  std::optional<double> p99;
  std::uint64_t samples{};
};

enum class RowStatus { ok, skipped, failed };
std::string_view name_of(RowStatus status);

}  // namespace shakedown
