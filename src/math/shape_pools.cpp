// SPDX-License-Identifier: Apache-2.0
#include "math/shape_pools.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>

#include "shakedown/math/gemm_cost.h"

namespace shakedown {
namespace {

constexpr std::uint64_t longest_side = 24576;
constexpr std::uint64_t longest_lattice_side = 16384;
constexpr std::uint64_t lattice_step = 1024;
constexpr std::uint64_t most_aspect = 16;  // published winners go up to 15 : 1
constexpr double least_filling = 0.96;     // of the last wave and those before
constexpr std::uint64_t waves_one_by_one = 12;

// Winners are known from 1024 to 18944; in between they are as often off powers of two as on them.
constexpr std::array<std::uint64_t, 12> depths{1024,  2048,  3072,  4096,  6144,  8192,
                                               10240, 12288, 14336, 16384, 18432, 20480};

// The model's constants are coarse on purpose: it ranks what is worth a measurement, the measurement decides.
constexpr double depth_to_start_and_end = 600;  // k that the pipeline's filling and the last tile's writing cost
constexpr double intensity_to_read = 40;      // of m, n and k: below, reading the operands takes as long as multiplying
constexpr double loss_of_small_tiles = 0.12;  // of 128x128 against 128x256; by what more is read for a product
constexpr double elements_of_full_tile = 128.0 * 256.0;

/// The m and n of a shape.
struct Plane {
  std::uint64_t m{}, n{};
};

int units_of(const CandidateSpace& space) { return std::max(1, space.units); }

double filling_of(const Plane& plane, int units) {
  double best = 0;
  for (const Tile& tile : library_tiles()) {
    const double size = static_cast<double>(tile.m * tile.n) / elements_of_full_tile;
    const double speed = 1 - loss_of_small_tiles * std::max(0.0, 1 - size);
    best = std::max(best, speed * wave_efficiency({plane.m, plane.n, 1}, tile, units));
  }
  return best;
}

double score_of(const GemmShape& shape, double filling, int units) {
  const double m = static_cast<double>(shape.m);
  const double n = static_cast<double>(shape.n);
  const double k = static_cast<double>(shape.k);
  const double waves = std::max(1.0, m * n / elements_of_full_tile / units);
  const double intensity = 1 / (1 / m + 1 / n + 1 / k);
  return filling * waves * k / (waves * k + depth_to_start_and_end) * intensity / (intensity + intensity_to_read);
}

/// Keeps the best plane of each cell of a quarter of an octave: its neighbours are the climb's to find.
class Planes {
 public:
  explicit Planes(const CandidateSpace& space)
      : units_(units_of(space)), multiple_(std::max<std::uint64_t>(1, space.multiple)) {}

  void add(Plane plane) {
    plane.m -= plane.m % multiple_;
    plane.n -= plane.n % multiple_;
    if (plane.m == 0 || plane.n == 0) return;
    if (plane.m > most_aspect * plane.n || plane.n > most_aspect * plane.m) return;
    const double filling = filling_of(plane, units_);
    auto& [best_filling, best] = cells_[{quarter_octave(plane.m), quarter_octave(plane.n)}];
    if (filling > best_filling) {
      best_filling = filling;
      best = plane;
    }
  }

  /// Every plane with every depth, within the space.
  [[nodiscard]] std::vector<RatedShape> with_depths(const CandidateSpace& space) const {
    std::vector<RatedShape> pool;
    for (const auto& [cell, kept] : cells_) {
      const auto& [filling, plane] = kept;
      std::uint64_t last_depth = 0;
      for (const std::uint64_t depth : depths) {
        const GemmShape shape{plane.m, plane.n, (depth + multiple_ - 1) / multiple_ * multiple_};
        const double operations = operations_of(shape);
        const bool fits =
            operations >= space.least_operations && (space.most_operations <= 0 || operations <= space.most_operations);
        if (fits && shape.k != last_depth) pool.push_back({shape, score_of(shape, filling, units_)});
        last_depth = shape.k;
      }
    }
    return pool;
  }

 private:
  static int quarter_octave(std::uint64_t side) {
    return static_cast<int>(std::floor(4 * std::log2(static_cast<double>(side))));
  }

  int units_;
  std::uint64_t multiple_;
  std::map<std::pair<int, int>, std::pair<double, Plane>> cells_;
};

void add_whole_waves(Planes& planes, const Tile& tile, std::uint64_t places) {
  for (std::uint64_t rows = 1; rows * tile.m <= longest_side && rows <= places; ++rows) {
    const std::uint64_t columns = places / rows;
    const bool fills = static_cast<double>(rows * columns) >= least_filling * static_cast<double>(places);
    if (fills && columns * tile.n <= longest_side) planes.add({rows * tile.m, columns * tile.n});
  }
}

void add_whole_waves(Planes& planes, int units) {
  const auto chip = static_cast<std::uint64_t>(units);
  for (const Tile& tile : library_tiles()) {
    const std::uint64_t most_tiles = (longest_side / tile.m) * (longest_side / tile.n);
    // Beyond a dozen waves one wave more or less is no other shape; they grow by a quarter.
    for (std::uint64_t waves = 1; waves * chip <= most_tiles; waves += waves < waves_one_by_one ? 1 : waves / 4) {
      add_whole_waves(planes, tile, waves * chip);
    }
  }
}

void add_lattice(Planes& planes) {
  for (std::uint64_t m = lattice_step; m <= longest_lattice_side; m += lattice_step) {
    for (std::uint64_t n = lattice_step; n <= longest_lattice_side; n += lattice_step) planes.add({m, n});
  }
}

}  // namespace

std::vector<RatedShape> shape_pool(const CandidateSpace& space, PoolSource source) {
  Planes planes(space);
  if (source == PoolSource::whole_waves) {
    add_whole_waves(planes, units_of(space));
  } else {
    add_lattice(planes);
  }
  return planes.with_depths(space);
}

}  // namespace shakedown
