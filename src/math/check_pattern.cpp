// SPDX-License-Identifier: Apache-2.0
#include "shakedown/math/check_pattern.h"

#include <algorithm>
#include <stdexcept>

namespace shakedown {
namespace {

constexpr std::uint64_t least_scale = 4;           ///< fewer values would let too many shifted elements look right
constexpr std::uint64_t greatest_scale = 1 << 20;  ///< keeps sums far below 2^63 even with 2^31 ranks

bool is_unsigned(DataType type) {
  return type == DataType::uint8 || type == DataType::uint32 || type == DataType::uint64;
}

}  // namespace

CheckPattern make_check_pattern(DataType type, int ranks, std::uint32_t seed) {
  if (ranks < 1) throw std::invalid_argument("a check pattern needs at least one rank");
  const std::uint64_t limit = exact_integer_limit(type);
  CheckPattern pattern;
  pattern.ranks = static_cast<std::uint32_t>(ranks);
  pattern.negative = !is_unsigned(type);
  pattern.seed = seed;
  const std::uint64_t dense_sum = std::uint64_t{pattern.ranks} + pattern.ranks / 2;
  pattern.alternate = limit / dense_sum >= least_scale;
  if (pattern.alternate) {
    pattern.weighted = pattern.ranks;
    pattern.weight_sum = static_cast<std::uint32_t>(dense_sum);
  } else {
    pattern.weighted = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(limit / least_scale, 1, pattern.ranks));
    pattern.weight_sum = pattern.weighted;
  }
  pattern.max_scale = static_cast<std::uint32_t>(std::min(limit / pattern.weight_sum, greatest_scale));
  return pattern;
}

}  // namespace shakedown
