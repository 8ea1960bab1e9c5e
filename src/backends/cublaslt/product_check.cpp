// SPDX-License-Identifier: Apache-2.0
#include "backends/cublaslt/product_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>

#include "backends/element_codec.h"

namespace shakedown {
namespace {

/// How a kind rounds. Partial sums of k random products are about sqrt(square_sum) large.
struct Rounding {
  double input;   ///< of an operand, before it is multiplied (TF32)
  double sum;     ///< of a partial sum; tensor cores may cut off instead of rounding, so errors add up
  double step;    ///< products that are added before one rounding
  double output;  ///< into D
};

Rounding rounding_of(const GemmKind& kind) {
  switch (kind.type) {
    case GemmType::float64:
      return {0, 0x1p-53, 1, 0x1p-53};
    case GemmType::float32:
      return {0, 0x1p-24, 1, 0x1p-24};
    case GemmType::tfloat32:
      return {0x1p-10, 0x1p-23, 4, 0x1p-24};  // 10 bits of fraction, cut off
    case GemmType::float16:
      if (kind.accumulation == Accumulation::half) return {0, 0x1p-11, 16, 0x1p-11};
      return {0, 0x1p-23, 8, 0x1p-11};
    case GemmType::bfloat16:
      return {0, 0x1p-23, 8, 0x1p-8};
    case GemmType::int8:
      return {0, 0, 1, 0};
    case GemmType::float8_e4m3fn:
    case GemmType::float8_e5m2:
    case GemmType::mxfp8:
    case GemmType::nvfp4:
      // Hopper's tensor cores keep some 13 bits of fraction of a float8 sum (DeepSeek-V3's report, section 3.3);
      // without fast accumulation partial sums are moved to full float32 again and again, which helps less than it
      // costs here to tell.
      return {0, 0x1p-13, 32, 0x1p-8};
  }
  return {};
}

DataType operand_type(GemmType type, bool second) {
  switch (type) {
    case GemmType::float64:
      return DataType::float64;
    case GemmType::float32:
    case GemmType::tfloat32:
      return DataType::float32;
    case GemmType::float16:
      return DataType::float16;
    case GemmType::bfloat16:
      return DataType::bfloat16;
    case GemmType::float8_e5m2:
      return second ? DataType::float8_e4m3fn : DataType::float8_e5m2;
    case GemmType::int8:
      return DataType::int8;
    default:
      return DataType::float8_e4m3fn;
  }
}

double e2m1_value(unsigned code) {
  constexpr std::array<double, 8> sizes{0, 0.5, 1, 1.5, 2, 3, 4, 6};
  return (code & 8u) != 0 ? -sizes[code & 7u] : sizes[code & 7u];
}

}  // namespace

double allowed_error(const GemmKind& kind, std::uint64_t k, double square_sum, double expected) {
  const Rounding rounding = rounding_of(kind);
  constexpr double deviations = 6;  // one in hundreds of millions of samples beyond it
  const double partial = std::sqrt(square_sum);
  const double steps = std::ceil(static_cast<double>(k) / rounding.step);
  // Cut-off sums drift by half a unit a step, rounded ones walk: whichever is more.
  const double sums = rounding.sum * partial * std::max(steps / 2, deviations * std::sqrt(steps));
  return deviations * rounding.input * partial + sums + 1.01 * rounding.output * std::fabs(expected);
}

void check_element(const GemmKind& kind, std::uint64_t k, const SampledElement& element, GemmVerification& found) {
  double expected = 0;
  double square_sum = 0;
  for (std::uint64_t i = 0; i < k; ++i) {
    const double term = element.a[i] * element.b[i];
    expected += term;
    square_sum += term * term;
  }
  const double allowed = allowed_error(kind, k, square_sum, expected);
  const double error = std::fabs(element.got - expected);  // NaN where D still holds the poison
  ++found.checked;
  double part = 0;
  if (error != 0) part = allowed > 0 && !std::isnan(error) ? error / allowed : std::numeric_limits<double>::infinity();
  found.worst = std::max(found.worst, part);
  if (error <= allowed) return;
  if (found.wrong++ > 0) return;
  found.first_wrong = fmt::format("row {}, column {}: got {:.9g}, expected {:.9g}, allowed {:.3g}", element.row,
                                  element.column, element.got, expected, allowed);
}

void for_each_sample(const GemmShape& shape, int samples, std::uint64_t seed,
                     const std::function<void(std::uint64_t row, std::uint64_t column)>& visit) {
  const std::array<std::array<std::uint64_t, 2>, 4> corners{
      {{0, 0}, {0, shape.n - 1}, {shape.m - 1, 0}, {shape.m - 1, shape.n - 1}}};
  std::mt19937_64 random{seed};
  for (std::size_t i = 0; i < static_cast<std::size_t>(samples); ++i) {
    const std::uint64_t row = i < corners.size() ? corners[i][0] : random() % shape.m;
    const std::uint64_t column = i < corners.size() ? corners[i][1] : random() % shape.n;
    visit(row, column);
  }
}

double operand_value(GemmType type, bool second, const std::byte* data, std::uint64_t index) {
  if (type == GemmType::nvfp4) {
    const auto pair = std::to_integer<unsigned>(data[index / 2]);
    return e2m1_value(index % 2 == 0 ? pair & 15u : pair >> 4);
  }
  const DataType element = operand_type(type, second);
  return decode_element(element, data + index * size_of(element));
}

double result_value(GemmType type, const std::byte* data) {
  switch (type) {
    case GemmType::float64:
      return decode_element(DataType::float64, data);
    case GemmType::float32:
    case GemmType::tfloat32:
      return decode_element(DataType::float32, data);
    case GemmType::float16:
      return decode_element(DataType::float16, data);
    case GemmType::int8:
      return decode_element(DataType::int32, data);
    default:
      return decode_element(DataType::bfloat16, data);
  }
}

}  // namespace shakedown
