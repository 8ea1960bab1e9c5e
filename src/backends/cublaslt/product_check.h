// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "shakedown/base/gemm_kind.h"
#include "shakedown/gemm/matrix_engine.h"

namespace shakedown {

/// One sampled element of D, with the row of A and the column of B that it comes from, all as numbers.
struct SampledElement {
  std::uint64_t row{}, column{};
  const double* a{};  ///< k values
  const double* b{};
  double got{};
};

/// The error that rounding may cause in the sum of `k` products, whose squares sum to `square_sum`; zero for integers.
double allowed_error(const GemmKind& kind, std::uint64_t k, double square_sum, double expected);

/// Compares with the dot product in double precision, and notes it in `found`.
void check_element(const GemmKind& kind, std::uint64_t k, const SampledElement& element, GemmVerification& found);

/// Rows and columns to sample: the corners first, then random ones.
void for_each_sample(const GemmShape& shape, int samples, std::uint64_t seed,
                     const std::function<void(std::uint64_t row, std::uint64_t column)>& visit);

/// Value `index` of an operand as it lies in memory; `second` is B, whose type differs in float8_e5m2.
double operand_value(GemmType type, bool second, const std::byte* data, std::uint64_t index);
/// Value of D's element at `data`.
double result_value(GemmType type, const std::byte* data);

}  // namespace shakedown
