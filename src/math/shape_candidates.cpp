// SPDX-License-Identifier: Apache-2.0
#include "shakedown/math/shape_candidates.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "math/shape_pools.h"
#include "shakedown/math/gemm_cost.h"

namespace shakedown {
namespace {

/// Where a shape lies when sizes are compared by their ratios.
struct Place {
  double m{}, n{}, k{};
};

Place place_of(const GemmShape& shape) {
  return {std::log2(static_cast<double>(shape.m)), std::log2(static_cast<double>(shape.n)),
          std::log2(static_cast<double>(shape.k))};
}

double distance(const Place& a, const Place& b) { return std::hypot(a.m - b.m, a.n - b.n, a.k - b.k); }

/// A candidate that waits to be chosen.
struct Waiting {
  RatedShape rated;
  Place place;
  double nearest{std::numeric_limits<double>::infinity()};  ///< distance to the nearest one that was chosen
};

// A shape beside a chosen one tells little new: it must be better by as much as the model can tell shapes apart.
constexpr double most_crowding = 0.12;
constexpr double crowding_reach = 0.6;

double worth(const Waiting& waiting) {
  const double ratio = waiting.nearest / crowding_reach;
  return waiting.rated.score - most_crowding * std::exp(-ratio * ratio);
}

/// Candidates of one source in classes of the size of the product, an octave each.
using Classes = std::map<int, std::vector<Waiting>>;

Classes classes_of(const std::vector<RatedShape>& pool) {
  Classes classes;
  for (const RatedShape& rated : pool) {
    const int octave = static_cast<int>(std::floor(std::log2(operations_of(rated.shape))));
    classes[octave].push_back({rated, place_of(rated.shape)});
  }
  return classes;
}

/// Chooses one after the other, each time the one that is worth most beside those chosen before.
class Choice {
 public:
  Choice(const CandidateSpace& space, std::size_t count) : count_(count) {
    for (const PoolSource source : pool_order) {
      if (classes_.count(source) == 0) classes_[source] = classes_of(shape_pool(space, source));
    }
    for (const GemmShape& shape : space.known_good) take(shape);
  }

  std::vector<GemmShape> run() {
    while (!is_full() && take_round()) {
    }
    return std::move(chosen_);
  }

 private:
  // Whole waves have the best of most chips; the lattice is what the scripts of the field scan.
  static constexpr std::array<PoolSource, 3> pool_order{PoolSource::whole_waves, PoolSource::lattice,
                                                        PoolSource::whole_waves};

  [[nodiscard]] bool is_full() const { return chosen_.size() >= count_; }

  /// One of each size from one source; false when no source has any left.
  bool take_round() {
    for (std::size_t tries = 0; tries < pool_order.size(); ++tries) {
      Classes& classes = classes_[pool_order[next_source_++ % pool_order.size()]];
      bool took = false;
      for (auto& [octave, waiting] : classes) took = take_best(waiting) || took;
      if (took) return true;
    }
    return false;
  }

  bool take_best(std::vector<Waiting>& waiting) {
    std::erase_if(waiting, [&](const Waiting& one) { return taken_.count(one.rated.shape) != 0; });
    if (waiting.empty() || is_full()) return false;
    const auto best = std::max_element(waiting.begin(), waiting.end(), [](const Waiting& a, const Waiting& b) {
      return std::make_tuple(worth(a), b.rated.shape) < std::make_tuple(worth(b), a.rated.shape);
    });
    take(GemmShape{best->rated.shape});
    return true;
  }

  void take(const GemmShape& shape) {
    if (is_full() || !taken_.insert(shape).second) return;
    chosen_.push_back(shape);
    const Place place = place_of(shape);
    for (auto& [source, classes] : classes_) {
      for (auto& [octave, waiting] : classes) {
        for (Waiting& one : waiting) one.nearest = std::min(one.nearest, distance(one.place, place));
      }
    }
  }

  std::size_t count_;
  std::map<PoolSource, Classes> classes_;
  std::vector<GemmShape> chosen_;
  std::set<GemmShape> taken_;
  std::size_t next_source_{};
};

}  // namespace

std::vector<GemmShape> shape_candidates(const CandidateSpace& space, std::size_t count) {
  return Choice(space, count).run();
}

std::vector<GemmShape> neighbours_of(const GemmShape& shape, std::uint64_t step) {
  std::vector<GemmShape> list;
  if (step == 0) return list;
  for (const auto side : {&GemmShape::m, &GemmShape::n, &GemmShape::k}) {
    const std::uint64_t size = shape.*side;
    GemmShape moved = shape;
    if (size / step * step <= std::numeric_limits<std::uint64_t>::max() - step) {
      moved.*side = size / step * step + step;
      list.push_back(moved);
    }
    const std::uint64_t below = size == 0 ? 0 : (size - 1) / step * step;
    if (below >= step) {
      moved.*side = below;
      list.push_back(moved);
    }
  }
  if (shape.m != shape.n) list.push_back({shape.n, shape.m, shape.k});
  return list;
}

}  // namespace shakedown
