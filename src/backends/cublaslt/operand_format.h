// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "shakedown/base/gemm_kind.h"

namespace shakedown {

/// How the elements of an operand lie in a GPU's memory.
enum class OperandFormat : std::uint8_t {
  f64,
  f32,
  f16,
  bf16,
  e4m3,
  e5m2,
  s8,
  s32,
  e2m1_pairs,   ///< two values of 4 bits in a byte, the first in the low half
  e8m0_scales,  ///< a power of two in a byte
  e4m3_scales,
};

/// Bytes of one element, of one pair for e2m1_pairs.
std::size_t size_of(OperandFormat format);

/// The formats of one kind of product, and how its inputs are scaled.
struct KindFormats {
  OperandFormat a, b, d;
  std::optional<OperandFormat> scales;  ///< one for each `block` elements along k; none for most kinds
  std::uint64_t block{1};
};
KindFormats formats_of(GemmType type);

/// The numbers that these bytes stand for.
std::vector<double> decode(OperandFormat format, std::span<const std::byte> bytes);

/// The largest finite number of the format, or infinity where no product gets there.
double largest_of(OperandFormat format);

}  // namespace shakedown
