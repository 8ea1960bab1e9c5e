// SPDX-License-Identifier: Apache-2.0
#include "backends/cublaslt/gemm_tolerance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace shakedown {
namespace {

constexpr double deviations = 6;

/// How the sums of one kind are rounded on a GPU.
struct Rounding {
  double input{0};   ///< relative, of each term
  double sum{0};     ///< relative, of the running sum, each time
  double cut{0};     ///< as `sum` where what lies below is cut off, which adds up in one direction; else 0
  double steps{1};   ///< terms that are added before the sum is cut off once
  double chunk{0};   ///< terms after which the sum is added to one of float32 and starts again; 0 for never
  double output{0};  ///< relative, of the result
};

// Tensor cores add the products of one instruction exactly, aligned to the largest, and cut off what lies below the
// accumulator's fraction (Fasi, Higham, Mikaitis, Pranesh 2021): 2^-23 for float32. An instruction has at least four
// terms (Volta).
constexpr double cut_float32 = 0x1p-23;
constexpr double least_terms = 4;
// Hopper's float8 instructions keep 13 bits of fraction, and add 32 terms each; standard accumulation promotes the sum
// to float32 every few of them, at most every 512 terms.
constexpr double cut_float8 = 0x1p-13;
constexpr double terms_float8 = 32;
constexpr double chunk_float8 = 512;
// The largest product among those of one instruction, in deviations: what the others are aligned to.
constexpr double aligned_to = 4;

Rounding rounding_of(const GemmKind& kind) {
  switch (kind.type) {
    case GemmType::float64:
      return {.sum = 0x1p-53, .output = 0x1p-53};
    case GemmType::float32:
      return {.sum = 0x1p-24, .output = 0x1p-24};
    case GemmType::tfloat32:
      // Ten bits of fraction; hardware cuts the rest off, from both factors.
      return {.input = 2 * 0x1p-10, .sum = cut_float32, .cut = cut_float32, .steps = least_terms, .output = 0x1p-24};
    case GemmType::float16:
      // Sums of float16 are rounded to nearest (as before, Fasi and others).
      if (kind.accumulation == Accumulation::half) return {.sum = 0x1p-11, .output = 0x1p-11};
      return {.sum = cut_float32, .cut = cut_float32, .steps = least_terms, .output = 0x1p-11};
    case GemmType::bfloat16:
      return {.sum = cut_float32, .cut = cut_float32, .steps = least_terms, .output = 0x1p-9};
    case GemmType::float8_e4m3fn:
    case GemmType::float8_e5m2:
    case GemmType::mxfp8:
    case GemmType::nvfp4:
      return {.sum = cut_float8,
              .cut = cut_float8,
              .steps = terms_float8,
              .chunk = kind.accumulation == Accumulation::fast ? 0 : chunk_float8,
              .output = 0x1p-9};
    case GemmType::int8:
      break;
  }
  return {};
}

}  // namespace

ReferenceSum reference_sum(std::span<const double> a, std::span<const double> b) {
  ReferenceSum reference;
  reference.terms = std::min(a.size(), b.size());
  double squares = 0;
  for (std::size_t i = 0; i < reference.terms; ++i) {
    const long double term = static_cast<long double>(a[i]) * b[i];
    reference.sum += term;
    squares += static_cast<double>(term * term);
  }
  const auto count = static_cast<double>(std::max<std::uint64_t>(reference.terms, 1));
  reference.mean = static_cast<double>(reference.sum) / count;
  reference.variance = std::max(0.0, squares / count - reference.mean * reference.mean);
  return reference;
}

double allowed_error(const GemmKind& kind, const ReferenceSum& reference) {
  const Rounding rounding = rounding_of(kind);
  const auto terms = static_cast<double>(reference.terms);
  const double mean = std::abs(reference.mean);
  const double deviation = std::sqrt(reference.variance);
  const double root_mean_square = std::sqrt(reference.variance + mean * mean);
  const double walk = std::sqrt(terms) * root_mean_square;
  const double chunk = rounding.chunk > 0 ? std::min(rounding.chunk, terms) : terms;
  // After j terms in random order a sum has the size of sqrt(j) deviations + j means; here summed up, squared and as it
  // is, over the terms of a chunk, and then over the chunks.
  const double floor = aligned_to * root_mean_square;
  const double squares =
      terms / chunk *
      (chunk * chunk / 2 * reference.variance + chunk * chunk * chunk / 3 * mean * mean + chunk * floor * floor);
  const double sizes =
      terms / chunk * (2.0 / 3.0 * std::pow(chunk, 1.5) * deviation + chunk * chunk / 2 * mean + chunk * floor);
  const double inputs = rounding.input * (std::abs(static_cast<double>(reference.sum)) + deviations * walk);
  const double sums = deviations * rounding.sum * std::sqrt(squares) + rounding.cut * sizes / rounding.steps;
  // Twice and with the walk, since parts of a sum that was split along k may be rounded to the output's type, too.
  const double output = rounding.output * (2 * std::abs(static_cast<double>(reference.sum)) + 3 * walk);
  return inputs + sums + output;
}

void judge(GemmVerification& verification, const SampledElement& element) {
  ++verification.checked;
  const double error = std::abs(element.got - element.expected);
  double part = 0;
  if (error != 0)
    part =
        std::isfinite(error) && element.allowed > 0 ? error / element.allowed : std::numeric_limits<double>::infinity();
  const bool overflowed = std::isinf(element.got) && element.got * element.expected > 0 &&
                          std::abs(element.expected) + element.allowed > element.largest;
  if (overflowed) part = 0;
  verification.worst = std::max(verification.worst, part);
  if (part <= 1 || verification.wrong++ != 0) return;
  verification.first_wrong = fmt::format("row {}, column {}: got {:.9g}, expected {:.9g}, allowed {:.3g}", element.row,
                                         element.column, element.got, element.expected, element.allowed);
}

}  // namespace shakedown
