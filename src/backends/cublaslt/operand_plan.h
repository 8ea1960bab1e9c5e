// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "shakedown/base/gemm_kind.h"
#include "shakedown/base/units.h"

namespace shakedown {

/// The workspace that cuBLASLt may use: NVIDIA advises 32 MiB from Hopper on, and more does no harm.
inline constexpr std::uint64_t workspace_bytes = std::uint64_t{64} << 20;

/// Where the matrices of one shape lie in the pools: each operand `places` times, one after the other, each at a
/// multiple of 256 bytes, which is the alignment that cuBLASLt takes for granted.
struct OperandPlan {
  std::uint64_t a_stride{}, b_stride{}, d_stride{};
  std::uint64_t places{};                ///< of A and B: together twice the cache, and at least two
  std::uint64_t d_places{};              ///< of D, by the same rule
  std::uint64_t a_scales{}, b_scales{};  ///< bytes; the places share them

  [[nodiscard]] std::uint64_t a_bytes() const { return a_stride * places; }
  [[nodiscard]] std::uint64_t b_bytes() const { return b_stride * places; }
  [[nodiscard]] std::uint64_t d_bytes() const { return d_stride * d_places; }
};

/// The shape's memory_for() must not have saturated.
OperandPlan plan_operands(GemmType type, const GemmShape& shape, Bytes cache);

/// At least what the plan takes, with the workspace; never falls when the shape grows, and saturates.
Bytes memory_of_plan(GemmType type, const GemmShape& shape, Bytes cache);

/// Where the scale of block `inner` of row `outer` lies: cuBLAS keeps scales in tiles of 128 rows by 4 blocks, the rows
/// of a tile interleaved by 32 (cuBLAS documentation, "1D block scaling factors layout"). `inners`: blocks along k.
std::uint64_t scale_offset(std::uint64_t outer, std::uint64_t inner, std::uint64_t inners);

}  // namespace shakedown
