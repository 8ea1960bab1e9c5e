// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "shakedown/base/units.h"

namespace shakedown {

/// How sizes grow from first to last, both included when they are hit.
struct SizeSweep {
  Bytes first;
  Bytes last;
  std::optional<double> factor;  ///< above 1
  std::optional<Bytes> step;     ///< above 0; wins over factor
};

/// The sizes in rising order, each once, products of a factor rounded down to whole bytes; stops cleanly where the next
/// one would pass 2^63. Equal ends give one size. Throws UsageError for an inverted range, a factor that is 1 or less,
/// not finite or so near 1 that a size would repeat, a step of 0, no growth given, or more than 100000 sizes.
std::vector<Bytes> sizes_of(const SizeSweep& sweep);

}  // namespace shakedown
