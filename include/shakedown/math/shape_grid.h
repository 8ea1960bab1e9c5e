// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "shakedown/base/gemm_kind.h"

namespace shakedown {

/// start, start + step, ... below stop. As in the book's script a start of 0 means step, and stop is excluded.
struct DimensionRange {
  std::uint64_t start{}, stop{}, step{};
};

/// Throws UsageError that names `option` when the step is 0, or the range holds nothing or more than 2^31 numbers.
std::vector<std::uint64_t> expand(const DimensionRange& range, const char* option);

/// Every combination, m slowest and k fastest, in the order given, each shape once. Throws UsageError when there
/// are more than 2^31.
std::vector<GemmShape> shape_grid(std::vector<std::uint64_t> m, std::vector<std::uint64_t> n,
                                  std::vector<std::uint64_t> k);

}  // namespace shakedown
