// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "shakedown/base/units.h"

namespace shakedown {

/// Payload over time.
constexpr BytesPerSecond algorithm_bandwidth(Bytes payload, Seconds time) { return payload / time; }

/// 2(n-1)/n: each rank of an all-reduce sends (and receives) that many payloads at the least (docs/measuring.md).
/// Zero for one rank, where no bus is used.
constexpr double all_reduce_bus_factor(int ranks) { return 2.0 * (ranks - 1) / ranks; }

/// The bandwidth that a link sees, comparable with its rating whatever the number of ranks. Not defined for one rank.
constexpr std::optional<BytesPerSecond> all_reduce_bus_bandwidth(BytesPerSecond algorithm, int ranks) {
  if (ranks < 2) return std::nullopt;
  return BytesPerSecond{algorithm.value * all_reduce_bus_factor(ranks)};
}

}  // namespace shakedown
