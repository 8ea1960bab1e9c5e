// SPDX-License-Identifier: Apache-2.0
#include "backends/host_matrix/sampled_check.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "backends/element_codec.h"

namespace shakedown {
namespace {

// Deviations of the random walk that are allowed.
constexpr double deviations = 5;

/// The largest relative error of one rounding into this type; 0 for integers.
double rounding_of(DataType type) {
  switch (type) {
    case DataType::float64:
      return 0x1p-53;
    case DataType::float32:
      return 0x1p-24;
    case DataType::float16:
      return 0x1p-11;
    case DataType::bfloat16:
      return 0x1p-8;
    default:
      return 0;
  }
}

/// Sums are held in float32 unless D itself is wider or whole.
double rounding_of_sums(DataType output) {
  return output == DataType::float64 || output == DataType::int32 ? rounding_of(output)
                                                                  : rounding_of(DataType::float32);
}

double value_at(DataType type, const std::byte* data, std::size_t index) {
  return decode_element(type, data + index * size_of(type));
}

/// A dot product, and the same of the magnitudes.
struct Sums {
  long double exact{}, magnitude{};
};

Sums dot(const HostProduct& product, const HostTypes& types, const OperandPointers& operands, std::uint64_t k,
         std::uint64_t row, std::uint64_t column) {
  Sums sums;
  for (std::uint64_t i = 0; i < k; ++i) {
    const long double term = static_cast<long double>(value_at(types.a, operands.a, product.a_index(row, i))) *
                             value_at(types.b, operands.b, product.b_index(i, column));
    sums.exact += term;
    sums.magnitude += std::fabs(term);
  }
  return sums;
}

}  // namespace

void poison_result(DataType type, std::byte* d, std::size_t bytes) {
  std::memset(d, type == DataType::int32 ? 0x80 : 0xFF, bytes);
}

GemmVerification check_samples(const HostProduct& product, const HostTypes& types, const GemmShape& shape,
                               const OperandPointers& operands, int samples, std::uint64_t seed) {
  const std::array<std::array<std::uint64_t, 2>, 4> corners{
      {{0, 0}, {0, shape.n - 1}, {shape.m - 1, 0}, {shape.m - 1, shape.n - 1}}};
  std::mt19937_64 random{seed};
  GemmVerification result;
  for (int sample = 0; sample < samples; ++sample) {
    const auto index = static_cast<std::size_t>(sample);
    const std::uint64_t row = index < corners.size() ? corners[index][0] : random() % shape.m;
    const std::uint64_t column = index < corners.size() ? corners[index][1] : random() % shape.n;
    const Sums sums = dot(product, types, operands, shape.k, row, column);
    const auto expected = static_cast<double>(sums.exact);
    const double got = value_at(types.d, operands.d, product.d_index(row, column));
    const double allowed = deviations * std::sqrt(static_cast<double>(shape.k)) * rounding_of_sums(types.d) *
                               static_cast<double>(sums.magnitude) +
                           rounding_of(types.d) * std::fabs(expected);
    const double error = std::fabs(got - expected);  // NaN where D still holds the poison
    ++result.checked;
    const bool is_right = error <= allowed;
    double part = 0;
    if (error != 0)
      part = allowed > 0 && !std::isnan(error) ? error / allowed : std::numeric_limits<double>::infinity();
    result.worst = std::max(result.worst, part);
    if (is_right) continue;
    if (result.wrong++ == 0) {
      result.first_wrong = fmt::format("row {}, column {}: got {:.9g}, expected {:.9g}, allowed {:.3g}", row, column,
                                       got, expected, allowed);
    }
  }
  return result;
}

}  // namespace shakedown
