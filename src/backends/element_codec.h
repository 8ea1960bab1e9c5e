// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "shakedown/base/dtype.h"

namespace shakedown {

/// A number as it lies in memory: the known values of a check are small integers that are exact in their type, so no
/// rounding is needed here, and a comparison can be one of bits.
template <class Value>
struct NativeElement {
  using Bits = Value;
  static constexpr bool fits_in_32_bits = sizeof(Value) < 4;  ///< the known values of a check, signed
  template <class Integer>
  static constexpr Bits encode(Integer value) {
    return static_cast<Value>(value);
  }
  static double decode(Bits bits) { return static_cast<double>(bits); }
};

/// A float of the machine, kept as its bits, so that -0 differs from 0 and a NaN equals itself.
template <class Value, class Unsigned>
struct FloatElement {
  using Bits = Unsigned;
  static constexpr bool fits_in_32_bits = sizeof(Value) == 4;
  template <class Integer>
  static Bits encode(Integer value) {
    const auto number = static_cast<Value>(value);
    Bits bits;
    std::memcpy(&bits, &number, sizeof bits);
    return bits;
  }
  static double decode(Bits bits) {
    Value number;
    std::memcpy(&number, &bits, sizeof number);
    return static_cast<double>(number);
  }
};

/// A float that the host's compiler has no type for: one sign bit, then `exponent_bits`, then `fraction_bits`.
/// `finite` formats (e4m3fn) have no infinity, and a NaN only where all other bits are set.
template <class Unsigned, int exponent_bits, int fraction_bits, bool finite>
struct SmallFloatElement {
  using Bits = Unsigned;
  static constexpr bool fits_in_32_bits = true;
  static constexpr int bias = (1 << (exponent_bits - 1)) - 1;
  static constexpr unsigned fraction_mask = (1u << fraction_bits) - 1;
  static constexpr unsigned exponent_mask = (1u << exponent_bits) - 1;

  /// Exact for magnitudes up to exact_integer_limit; whole numbers are never subnormal in these types, so that a
  /// float's bits with another exponent bias and a shorter fraction are theirs.
  template <class Integer>
  static Bits encode(Integer value) {
    const auto number = static_cast<float>(value);
    std::uint32_t wide;
    std::memcpy(&wide, &number, sizeof wide);
    constexpr std::uint32_t rebias = static_cast<std::uint32_t>(127 - bias) << 23;
    const std::uint32_t magnitude = value == 0 ? 0 : ((wide & 0x7FFFFFFFu) - rebias) >> (23 - fraction_bits);
    return static_cast<Bits>((wide >> 31 << (exponent_bits + fraction_bits)) | magnitude);
  }

  static double decode(Bits bits) {
    const double sign = ((bits >> (exponent_bits + fraction_bits)) & 1u) != 0 ? -1.0 : 1.0;
    const unsigned exponent = (static_cast<unsigned>(bits) >> fraction_bits) & exponent_mask;
    const unsigned fraction = bits & fraction_mask;
    if (exponent == exponent_mask) {
      if (finite ? fraction == fraction_mask : fraction != 0) return std::numeric_limits<double>::quiet_NaN();
      if (!finite) return sign * std::numeric_limits<double>::infinity();
    }
    if (exponent == 0) return sign * std::ldexp(static_cast<double>(fraction), 1 - bias - fraction_bits);
    return sign * std::ldexp(static_cast<double>(fraction | (1u << fraction_bits)),
                             static_cast<int>(exponent) - bias - fraction_bits);
  }
};

/// Calls `visit` with the codec of `type`.
template <class Visit>
auto with_element(DataType type, Visit&& visit) {
  switch (type) {
    case DataType::int8:
      return visit(NativeElement<std::int8_t>{});
    case DataType::uint8:
      return visit(NativeElement<std::uint8_t>{});
    case DataType::int32:
      return visit(NativeElement<std::int32_t>{});
    case DataType::uint32:
      return visit(NativeElement<std::uint32_t>{});
    case DataType::int64:
      return visit(NativeElement<std::int64_t>{});
    case DataType::uint64:
      return visit(NativeElement<std::uint64_t>{});
    case DataType::float16:
      return visit(SmallFloatElement<std::uint16_t, 5, 10, false>{});
    case DataType::bfloat16:
      return visit(SmallFloatElement<std::uint16_t, 8, 7, false>{});
    case DataType::float32:
      return visit(FloatElement<float, std::uint32_t>{});
    case DataType::float64:
      return visit(FloatElement<double, std::uint64_t>{});
    case DataType::float8_e4m3fn:
      return visit(SmallFloatElement<std::uint8_t, 4, 3, true>{});
    case DataType::float8_e5m2:
      return visit(SmallFloatElement<std::uint8_t, 5, 2, false>{});
  }
  throw std::logic_error("a DataType without a codec");
}

/// The number that the element at `bytes` (host memory, size_of(type) bytes) stands for.
inline double decode_element(DataType type, const void* bytes) {
  return with_element(type, [bytes](auto element) {
    typename decltype(element)::Bits bits;
    std::memcpy(&bits, bytes, sizeof bits);
    return decltype(element)::decode(bits);
  });
}

}  // namespace shakedown
