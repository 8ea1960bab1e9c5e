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

/// Mixes an index to 32 bits. Everything below is 32-bit arithmetic without a division, so that filling and checking
/// cost a few instructions an element on a GPU and vectorize on a CPU.
constexpr std::uint32_t pattern_hash(std::uint64_t index, std::uint32_t seed) {
  std::uint32_t x =
      static_cast<std::uint32_t>(index) * 0x9E3779B1u + static_cast<std::uint32_t>(index >> 32) * 0x85EBCA77u + seed;
  x ^= x >> 15;
  x *= 0x85EBCA77u;
  x ^= x >> 13;
  x *= 0xC2B2AE3Du;
  x ^= x >> 16;
  return x;
}

/// A number below `bound` from 32 random bits.
constexpr std::uint32_t pattern_below(std::uint32_t bound, std::uint32_t bits) {
  return static_cast<std::uint32_t>((static_cast<std::uint64_t>(bits) * bound) >> 32);
}

/// sign(i) * scale(i); at most 2^20 in magnitude.
constexpr std::int32_t pattern_scale(const CheckPattern& pattern, std::uint32_t hash) {
  const auto scale = static_cast<std::int32_t>(1 + pattern_below(pattern.max_scale, hash));
  return pattern.negative && (hash & 1u) != 0 ? -scale : scale;
}

/// What `rank` puts in at `index`.
constexpr std::int32_t pattern_contribution(const CheckPattern& pattern, std::uint32_t rank, std::uint64_t index) {
  const std::uint32_t hash = pattern_hash(index, pattern.seed);
  const std::uint32_t turned =
      pattern_below(pattern.ranks, hash * 0x9E3779B1u) + rank;  // ranks < 2^31: no carry is lost
  const std::uint32_t position = turned >= pattern.ranks ? turned - pattern.ranks : turned;
  const std::int32_t weight = position >= pattern.weighted ? 0
                              : pattern.alternate          ? 1 + static_cast<std::int32_t>(position & 1u)
                                                           : 1;
  return weight * pattern_scale(pattern, hash);
}

/// What the sum over all ranks must be at `index`.
constexpr std::int64_t pattern_sum(const CheckPattern& pattern, std::uint64_t index) {
  return static_cast<std::int64_t>(pattern_scale(pattern, pattern_hash(index, pattern.seed))) * pattern.weight_sum;
}

}  // namespace shakedown
