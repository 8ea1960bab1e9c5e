// SPDX-License-Identifier: Apache-2.0
#include "backends/cublaslt/operand_plan.h"

#include <algorithm>
#include <limits>

#include "backends/cublaslt/operand_format.h"

namespace shakedown {
namespace {

constexpr std::uint64_t alignment = 256;
constexpr std::uint64_t unbounded = std::numeric_limits<std::uint64_t>::max();
/// Beyond, ever smaller matrices only cost time to set up.
constexpr std::uint64_t most_places = 8192;
constexpr std::uint64_t scale_tile_rows = 128, scale_tile_blocks = 4;
constexpr std::uint64_t interleaved_rows = 32;

std::uint64_t times(std::uint64_t a, std::uint64_t b) { return a != 0 && b > unbounded / a ? unbounded : a * b; }
std::uint64_t plus(std::uint64_t a, std::uint64_t b) { return a > unbounded - b ? unbounded : a + b; }
std::uint64_t parts(std::uint64_t whole, std::uint64_t part) { return whole / part + (whole % part != 0 ? 1 : 0); }
std::uint64_t up_to(std::uint64_t value, std::uint64_t step) { return times(parts(value, step), step); }

std::uint64_t matrix_bytes(std::uint64_t rows, std::uint64_t columns, std::uint64_t bits) {
  const std::uint64_t elements = times(rows, columns);
  // In this order the product of a large matrix does not saturate early.
  return up_to(bits >= 8 ? times(elements, bits / 8) : parts(elements, 8 / bits), alignment);
}

std::uint64_t scale_bytes(std::uint64_t rows, std::uint64_t k, const KindFormats& formats) {
  if (!formats.scales) return 0;
  return times(up_to(rows, scale_tile_rows), up_to(parts(k, formats.block), scale_tile_blocks));
}

std::uint64_t places_for(std::uint64_t bytes, Bytes cache) {
  return std::clamp<std::uint64_t>(2 * cache.count / std::max<std::uint64_t>(bytes, 1) + 1, 2, most_places);
}

/// At least bytes x places_for(bytes), and monotone.
std::uint64_t rotated(std::uint64_t bytes, Bytes cache) { return plus(bytes, std::max(bytes, times(2, cache.count))); }

OperandPlan sizes_of(GemmType type, const GemmShape& shape) {
  const KindFormats formats = formats_of(type);
  OperandPlan plan;
  plan.a_stride = matrix_bytes(shape.m, shape.k, input_bits_of(type));
  plan.b_stride = matrix_bytes(shape.n, shape.k, input_bits_of(type));
  plan.d_stride = matrix_bytes(shape.m, shape.n, 8 * output_size_of(type));
  plan.a_scales = scale_bytes(shape.m, shape.k, formats);
  plan.b_scales = scale_bytes(shape.n, shape.k, formats);
  return plan;
}

}  // namespace

OperandPlan plan_operands(GemmType type, const GemmShape& shape, Bytes cache) {
  OperandPlan plan = sizes_of(type, shape);
  plan.places = places_for(plan.a_stride + plan.b_stride, cache);
  plan.d_places = places_for(plan.d_stride, cache);
  return plan;
}

Bytes memory_of_plan(GemmType type, const GemmShape& shape, Bytes cache) {
  const OperandPlan plan = sizes_of(type, shape);
  const std::uint64_t inputs = rotated(plus(plan.a_stride, plan.b_stride), cache);
  const std::uint64_t scales = plus(plan.a_scales, plan.b_scales);
  return {plus(plus(inputs, rotated(plan.d_stride, cache)), plus(scales, workspace_bytes))};
}

std::uint64_t scale_offset(std::uint64_t outer, std::uint64_t inner, std::uint64_t inners) {
  const std::uint64_t tile = outer / scale_tile_rows * parts(inners, scale_tile_blocks) + inner / scale_tile_blocks;
  const std::uint64_t row = outer % scale_tile_rows;
  return tile * scale_tile_rows * scale_tile_blocks + row % interleaved_rows * 16 +
         row / interleaved_rows * scale_tile_blocks + inner % scale_tile_blocks;
}

}  // namespace shakedown
