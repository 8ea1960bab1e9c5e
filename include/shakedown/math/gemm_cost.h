// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>

#include "shakedown/base/gemm_kind.h"
#include "shakedown/base/units.h"

namespace shakedown {

/// 2 m n k: a multiplication and an addition for each of the m n k terms. A double, so that nothing overflows.
double operations_of(const GemmShape& shape);

/// Bytes of A and B together, and of D; saturate at 2^64-1.
Bytes input_bytes_of(const GemmShape& shape, GemmType type);
Bytes output_bytes_of(const GemmShape& shape, GemmType type);

/// Part of D that one unit computes at a time.
struct Tile {
  std::uint64_t m{}, n{};
};

/// The tiles of the fast kernels of cuBLASLt and CUTLASS, for every generation since Ampere.
std::span<const Tile> library_tiles();

/// Share of the chip's time that is not lost to a last wave that doesn't fill `units`, nor to tiles that reach over the
/// edge of D: in (0, 1]. Throws std::invalid_argument when m, n, a side of the tile or `units` is 0.
double wave_efficiency(const GemmShape& shape, const Tile& tile, int units);

/// The best over library_tiles(): what a library can reach that picks the right one.
double wave_efficiency(const GemmShape& shape, int units);

}  // namespace shakedown
