// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "shakedown/base/dtype.h"

namespace shakedown {

/// Known values for a sum over ranks, exact in the element type in whatever order they are added (docs/measuring.md).
///
/// Rank r contributes sign(i) * scale(i) * weight((hash(i) + r) mod ranks) at index i. Each weight is met by exactly
/// one rank, so the sum is sign(i) * scale(i) * weight_sum, known without looking at the other ranks, and every partial
/// sum stays below the type's exact-integer limit.
struct CheckPattern {
  std::uint32_t ranks{1};
  std::uint32_t weighted{1};  ///< weights at or above this position are zero
  bool alternate{false};      ///< weights alternate 1, 2, 1, 2 ...; else all are 1
  std::uint32_t weight_sum{1};
  std::uint32_t max_scale{1};
  bool negative{true};  ///< whether sign(i) may be -1
  std::uint32_t seed{0};
};

/// The pattern for a type and a number of ranks (at least 1).
CheckPattern make_check_pattern(DataType type, int ranks, std::uint32_t seed);

constexpr std::uint32_t pattern_hash(std::uint64_t index, std::uint32_t seed) {
  std::uint64_t x = index * 0x9E3779B97F4A7C15ull + seed;
  x ^= x >> 32;
  x *= 0xD6E8FEB86659FD93ull;
  x ^= x >> 32;
  return static_cast<std::uint32_t>(x);
}

/// sign(i) * scale(i).
constexpr std::int64_t pattern_scale(const CheckPattern& pattern, std::uint32_t hash) {
  const std::int64_t scale = 1 + static_cast<std::int64_t>((hash >> 1) % pattern.max_scale);
  return pattern.negative && (hash & 1u) != 0 ? -scale : scale;
}

/// What `rank` puts in at `index`.
constexpr std::int64_t pattern_contribution(const CheckPattern& pattern, std::uint32_t rank, std::uint64_t index) {
  const std::uint32_t hash = pattern_hash(index, pattern.seed);
  const std::uint32_t position =
      ((hash >> 4) + rank) % pattern.ranks;  // 28 bits and a rank below 2^31: no carry is lost
  if (position >= pattern.weighted) return 0;
  const std::int64_t weight = pattern.alternate ? 1 + static_cast<std::int64_t>(position & 1u) : 1;
  return weight * pattern_scale(pattern, hash);
}

/// What the sum over all ranks must be at `index`.
constexpr std::int64_t pattern_sum(const CheckPattern& pattern, std::uint64_t index) {
  return pattern_scale(pattern, pattern_hash(index, pattern.seed)) * static_cast<std::int64_t>(pattern.weight_sum);
}

}  // namespace shakedown
