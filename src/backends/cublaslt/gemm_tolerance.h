// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "shakedown/base/gemm_kind.h"
#include "shakedown/gemm/matrix_engine.h"

namespace shakedown {

/// One dot product in higher precision, and what its terms look like.
struct ReferenceSum {
  long double sum{};
  double mean{}, variance{};  ///< of the terms
  std::uint64_t terms{};
};
ReferenceSum reference_sum(std::span<const double> a, std::span<const double> b);

/// The largest error that the rounding of this kind of product may cause in a dot product with such terms: that of the
/// inputs, of the running sums (six deviations of a random walk where they are rounded to nearest, the whole way where
/// they are cut off), and of the result. The size of the running sums is that of a random order of the terms, since
/// nobody knows in which order a kernel adds. 0 for int8.
double allowed_error(const GemmKind& kind, const ReferenceSum& reference);

/// One element of D.
struct SampledElement {
  std::uint64_t row{}, column{};
  double got{}, expected{};
  double allowed{};
  double largest{};  ///< finite number of D's type; beyond, infinity is right
};

/// Counts one element in.
void judge(GemmVerification& verification, const SampledElement& element);

}  // namespace shakedown
