// SPDX-License-Identifier: Apache-2.0
#include "shakedown/math/gemm_cost.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace shakedown {
namespace {

constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();

// What cuBLASLt's and CUTLASS's fast kernels compute at a time; a pair of Blackwell's SMs shares 256x256.
constexpr std::array<Tile, 6> tiles{{{128, 256}, {256, 128}, {256, 256}, {128, 192}, {192, 128}, {128, 128}}};

std::uint64_t saturating_sum(std::uint64_t a, std::uint64_t b) { return a > most - b ? most : a + b; }

std::uint64_t saturating_product(std::uint64_t a, std::uint64_t b) { return a != 0 && b > most / a ? most : a * b; }

Bytes bytes_of(std::uint64_t elements, std::size_t bits) {
  if (elements == most) return {most};
  if (bits >= 8) return {saturating_product(elements, bits / 8)};
  const std::uint64_t elements_in_a_byte = 8 / bits;
  return {elements / elements_in_a_byte + (elements % elements_in_a_byte != 0 ? 1u : 0u)};
}

double tiles_over(std::uint64_t side, std::uint64_t tile_side) {
  const std::uint64_t whole = side / tile_side;
  return static_cast<double>(whole) + (side % tile_side != 0 ? 1.0 : 0.0);
}

}  // namespace

double operations_of(const GemmShape& shape) {
  return 2.0 * static_cast<double>(shape.m) * static_cast<double>(shape.n) * static_cast<double>(shape.k);
}

Bytes input_bytes_of(const GemmShape& shape, GemmType type) {
  const std::uint64_t elements = saturating_product(saturating_sum(shape.m, shape.n), shape.k);
  return bytes_of(elements, input_bits_of(type));
}

Bytes output_bytes_of(const GemmShape& shape, GemmType type) {
  return bytes_of(saturating_product(shape.m, shape.n), 8 * output_size_of(type));
}

std::span<const Tile> library_tiles() { return tiles; }

double wave_efficiency(const GemmShape& shape, const Tile& tile, int units) {
  if (shape.m == 0 || shape.n == 0 || tile.m == 0 || tile.n == 0 || units < 1) {
    throw std::invalid_argument("wave efficiency needs a shape, a tile and units of at least 1");
  }
  const double count = tiles_over(shape.m, tile.m) * tiles_over(shape.n, tile.n);
  const double places = std::ceil(count / units) * units;
  const double useful = static_cast<double>(shape.m) / static_cast<double>(tile.m) * static_cast<double>(shape.n) /
                        static_cast<double>(tile.n);
  return std::min(1.0, useful / places);
}

double wave_efficiency(const GemmShape& shape, int units) {
  double best = 0;
  for (const Tile& tile : tiles) best = std::max(best, wave_efficiency(shape, tile, units));
  return best;
}

}  // namespace shakedown
