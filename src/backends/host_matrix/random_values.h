// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shakedown/base/dtype.h"
#include "shakedown/base/gemm_kind.h"

namespace shakedown {

/// A block of values of one element type; the same seed gives the same. Its length is a prime number of elements, so
/// that rows of no usual length repeat each other.
///
/// Floats: normal has mean 0 and deviation 1, uniform is -1 to 1, integers are -4 to 4. Integers of 8 bits: normal has
/// deviation 32, uniform is -127 to 127; uint8 takes their magnitudes. So both fit into 7 bits and a sign: processors
/// without dot-product instructions add two products in 16 bits, which must not saturate.
std::vector<std::byte> make_value_block(DataType type, GemmData data, std::uint64_t seed);

}  // namespace shakedown
