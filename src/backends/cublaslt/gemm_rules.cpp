// SPDX-License-Identifier: Apache-2.0
#include "backends/cublaslt/gemm_rules.h"

#include <fmt/format.h>

#include <array>

namespace shakedown {
namespace {

constexpr std::uint64_t largest_dimension = 2147483647;  // cuBLASLt's strides are 32-bit in places

bool is_float8(GemmType type) { return type == GemmType::float8_e4m3fn || type == GemmType::float8_e5m2; }

/// The first compute capability whose units multiply this type.
int first_capability(GemmType type) {
  switch (type) {
    case GemmType::float64:
    case GemmType::float32:
      return 50;
    case GemmType::float16:
      return 70;
    case GemmType::int8:
      return 75;
    case GemmType::tfloat32:
    case GemmType::bfloat16:
      return 80;
    case GemmType::float8_e4m3fn:
    case GemmType::float8_e5m2:
      return 89;
    case GemmType::mxfp8:
    case GemmType::nvfp4:
      return 100;
  }
  return 0;
}

/// Whether only TN is offered: the float8 types have other layouts in the data centre's Blackwell (10.x) alone. (So has
/// mxfp8 there, which we leave out.)
bool is_tn_alone(GemmType type, int capability) {
  if (type == GemmType::int8 || type == GemmType::mxfp8 || type == GemmType::nvfp4) return true;
  const bool data_centre_blackwell = capability >= 100 && capability < 120;
  return is_float8(type) && !data_centre_blackwell;
}

struct Multiples {
  std::uint64_t m{1}, n{1}, k{1};
};

/// Rules that cuBLASLt refuses by; faster multiples are the caller's affair.
Multiples multiples_of(const GemmKind& kind) {
  const bool tn = kind.layout == GemmLayout::tn;
  switch (kind.type) {
    case GemmType::float8_e4m3fn:
    case GemmType::float8_e5m2:
      // Leading dimensions of A and B are multiples of 16 bytes, and so is that of D, whose elements have two.
      return tn ? Multiples{8, 1, 16} : Multiples{16, 16, 16};
    case GemmType::int8:
      return {4, 1, 4};
    case GemmType::mxfp8:
      return {16, 16, 32};  // a scale for each 32 elements along k
    case GemmType::nvfp4:
      return {8, 1, 32};  // two values in a byte, a scale for each 16
    default:
      return {};
  }
}

}  // namespace

std::string gpu_kind_refusal(const GemmKind& kind, int compute_capability) {
  if (kind.accumulation == Accumulation::half && kind.type != GemmType::float16)
    return fmt::format("half accumulation is offered for float16 alone, not for {}", name_of(kind.type));
  if (kind.accumulation == Accumulation::fast && !is_float8(kind.type))
    return fmt::format("fast accumulation is offered for the float8 types alone, not for {}", name_of(kind.type));
  const int needed = first_capability(kind.type);
  if (compute_capability < needed)
    return fmt::format("{} needs compute capability {}.{}, and this GPU has {}.{}", name_of(kind.type), needed / 10,
                       needed % 10, compute_capability / 10, compute_capability % 10);
  if (kind.layout != GemmLayout::tn && is_tn_alone(kind.type, compute_capability))
    return fmt::format("{} is offered in layout TN alone on compute capability {}.{}, not in {}", name_of(kind.type),
                       compute_capability / 10, compute_capability % 10, name_of(kind.layout));
  return {};
}

std::string gpu_shape_refusal(const GemmKind& kind, const GemmShape& shape) {
  const Multiples multiples = multiples_of(kind);
  struct Side {
    const char* name;
    std::uint64_t size, multiple;
  };
  for (const Side& side :
       std::array<Side, 3>{{{"m", shape.m, multiples.m}, {"n", shape.n, multiples.n}, {"k", shape.k, multiples.k}}}) {
    if (side.size == 0) return fmt::format("{} must be at least 1", side.name);
    if (side.size > largest_dimension)
      return fmt::format("{} must be at most {}, and is {}", side.name, largest_dimension, side.size);
    if (side.size % side.multiple != 0)
      return fmt::format("{} must be a multiple of {} for {} in layout {}, and is {}", side.name, side.multiple,
                         name_of(kind.type), name_of(kind.layout), side.size);
  }
  return {};
}

}  // namespace shakedown
