// SPDX-License-Identifier: Apache-2.0
#include "backends/cublaslt/operand_format.h"

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "backends/element_codec.h"

namespace shakedown {
namespace {

/// The values of e2m1 by their three lower bits.
constexpr std::array<double, 8> e2m1_values{0, 0.5, 1, 1.5, 2, 3, 4, 6};
constexpr int e8m0_bias = 127;

DataType data_type_of(OperandFormat format) {
  switch (format) {
    case OperandFormat::f64:
      return DataType::float64;
    case OperandFormat::f32:
      return DataType::float32;
    case OperandFormat::f16:
      return DataType::float16;
    case OperandFormat::bf16:
      return DataType::bfloat16;
    case OperandFormat::e5m2:
      return DataType::float8_e5m2;
    case OperandFormat::s8:
      return DataType::int8;
    case OperandFormat::s32:
      return DataType::int32;
    case OperandFormat::e4m3:
    case OperandFormat::e4m3_scales:
      return DataType::float8_e4m3fn;
    case OperandFormat::e2m1_pairs:
    case OperandFormat::e8m0_scales:
      break;
  }
  return DataType::uint8;
}

double e2m1_value(unsigned code) { return (code & 8u) != 0 ? -e2m1_values[code & 7u] : e2m1_values[code & 7u]; }

}  // namespace

std::size_t size_of(OperandFormat format) { return size_of(data_type_of(format)); }

KindFormats formats_of(GemmType type) {
  using enum OperandFormat;
  switch (type) {
    case GemmType::float64:
      return {f64, f64, f64, {}, 1};
    case GemmType::float32:
    case GemmType::tfloat32:
      return {f32, f32, f32, {}, 1};
    case GemmType::float16:
      return {f16, f16, f16, {}, 1};
    case GemmType::bfloat16:
      return {bf16, bf16, bf16, {}, 1};
    case GemmType::float8_e4m3fn:
      return {e4m3, e4m3, bf16, {}, 1};
    case GemmType::float8_e5m2:
      return {e5m2, e4m3, bf16, {}, 1};
    case GemmType::int8:
      return {s8, s8, s32, {}, 1};
    case GemmType::mxfp8:
      return {e4m3, e4m3, bf16, e8m0_scales, 32};
    case GemmType::nvfp4:
      break;
  }
  return {e2m1_pairs, e2m1_pairs, bf16, e4m3_scales, 16};
}

std::vector<double> decode(OperandFormat format, std::span<const std::byte> bytes) {
  std::vector<double> values;
  if (format == OperandFormat::e2m1_pairs) {
    values.reserve(2 * bytes.size());
    for (const std::byte pair : bytes) {
      const auto codes = std::to_integer<unsigned>(pair);
      values.push_back(e2m1_value(codes));
      values.push_back(e2m1_value(codes >> 4));
    }
    return values;
  }
  values.reserve(bytes.size() / size_of(format));
  if (format == OperandFormat::e8m0_scales) {
    for (const std::byte scale : bytes) values.push_back(std::ldexp(1.0, std::to_integer<int>(scale) - e8m0_bias));
    return values;
  }
  with_element(data_type_of(format), [&](auto element) {
    typename decltype(element)::Bits bits;
    for (std::size_t at = 0; at + sizeof bits <= bytes.size(); at += sizeof bits) {
      std::memcpy(&bits, bytes.data() + at, sizeof bits);
      values.push_back(decltype(element)::decode(bits));
    }
  });
  return values;
}

double largest_of(OperandFormat format) {
  return format == OperandFormat::f16 ? 65504.0 : std::numeric_limits<double>::infinity();
}

}  // namespace shakedown
