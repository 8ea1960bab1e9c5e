// SPDX-License-Identifier: Apache-2.0
#include "bench/shape_search.h"

#include <algorithm>
#include <array>
#include <functional>

#include "shakedown/math/gemm_cost.h"
#include "shakedown/math/shape_candidates.h"

namespace shakedown {
namespace {

// Shares of the box at which the phases end; docs/measuring.md says what each is for.
constexpr double screening_ends = 0.40;
constexpr double second_look_ends = 0.52;
constexpr double algorithms_end = 0.68;
constexpr double climb_ends = 0.93;

/// Of m, n and k: what every type's rules and every library's tiles like.
constexpr std::uint64_t multiple = 128;
constexpr std::size_t most_candidates = 400;
constexpr std::size_t least_candidates = 40;
constexpr int most_doublings = 8;
constexpr std::size_t looked_at_again = 32;
constexpr std::size_t looked_at_thrice = 12;
constexpr std::size_t shapes_with_algorithms = 10;
constexpr std::size_t climbs = 3;
constexpr std::array<std::uint64_t, 3> climb_steps{512, 256, 128};
/// A long k costs nothing but candidates, so only the best faces get one: fewer epilogues for the same work.
constexpr std::size_t stretched_faces = 6;
constexpr std::array<double, 2> stretches{1.5, 2};
/// A step must win by more than one look's noise.
constexpr double worth_a_step = 1.0005;

/// Products shorter than this time their launch, longer ones leave time for too few candidates.
struct ProductTimes {
  double least_s, most_s;
};
ProductTimes product_times(const MatrixEngine& engine, Seconds budget) {
  if (engine.info().device) return {1e-4, 2.5e-3};
  // A CPU is as fast on small products, and a search must look at hundreds of them.
  return {1e-3, std::min(0.12, budget.count() / 400)};
}

bool same_face(const GemmShape& a, const GemmShape& b) { return a.m == b.m && a.n == b.n; }

class BurstSearch {
 public:
  BurstSearch(const GemmBench& bench, ShapePool& pool, TimeBox box, const SearchProgress& progress)
      : bench_(bench), pool_(pool), box_(box), progress_(progress), rest_(bench.report.protocol.screen_rest) {}

  void screen(const std::vector<GemmShape>& shapes) {
    const Seconds deadline = box_.at(screening_ends);
    for (std::size_t i = 0; i < shapes.size() && (i == 0 || now() < deadline); ++i) {
      progress_("screening shapes", i + 1, shapes.size());
      pool_.add(shapes[i], rest_);
    }
  }

  void look_again() {
    const Seconds deadline = box_.at(second_look_ends);
    for (const std::size_t count : {looked_at_again, looked_at_thrice}) {
      const std::vector<std::size_t> order = pool_.ranking();
      for (std::size_t i = 0; i < std::min(count, order.size()) && now() < deadline; ++i) {
        progress_("looking again at the better ones", i + 1, count);
        pool_.look(order[i], rest_);
      }
    }
  }

  void try_algorithms() {
    const Seconds deadline = box_.at(algorithms_end);
    const std::vector<std::size_t> order = pool_.ranking();
    for (std::size_t i = 0; i < std::min(shapes_with_algorithms, order.size()) && now() < deadline; ++i) {
      progress_("trying the library's algorithms", i + 1, shapes_with_algorithms);
      pool_.add_algorithms(order[i], rest_, deadline);
    }
    const std::vector<std::size_t> best = pool_.ranking();
    for (std::size_t i = 0; i < std::min(looked_at_thrice, best.size()) && now() < deadline; ++i)
      if (pool_.all()[best[i]].rates.size() < 2) pool_.look(best[i], rest_);
  }

  /// The best faces (m x n) with a longer k: under a power cap that is worth up to one percent.
  void stretch(Seconds deadline) {
    for (const GemmShape& face : leaders(stretched_faces, same_face))
      for (const double factor : stretches) {
        if (now() >= deadline) return;
        progress_("trying a longer k", 0, 0);
        const auto k = static_cast<std::uint64_t>(factor * static_cast<double>(face.k));
        pool_.add({face.m, face.n, k / multiple * multiple}, rest_);
      }
  }

  void climb(Seconds deadline) {
    for (const GemmShape& start : leaders(climbs, std::equal_to<>())) climb_from(start, deadline);
  }

 private:
  [[nodiscard]] Seconds now() const { return bench_.tools.clock.now(); }

  /// The best shapes, at most `count`, of those that are the same the first.
  template <class Same>
  [[nodiscard]] std::vector<GemmShape> leaders(std::size_t count, Same same) const {
    std::vector<GemmShape> shapes;
    for (const std::size_t index : pool_.ranking()) {
      if (shapes.size() == count) break;
      const GemmShape& shape = pool_.all()[index].shape;
      if (std::none_of(shapes.begin(), shapes.end(), [&](const GemmShape& one) { return same(one, shape); }))
        shapes.push_back(shape);
    }
    return shapes;
  }

  [[nodiscard]] double rate_of(const GemmShape& shape) const {
    double best = 0;
    for (const Candidate& candidate : pool_.all())
      if (candidate.shape == shape) best = std::max(best, candidate.rate());
    return best;
  }

  void climb_from(GemmShape shape, Seconds deadline) {
    for (const std::uint64_t step : climb_steps) {
      for (bool moved = true; moved && now() < deadline;) {
        moved = false;
        const double here = rate_of(shape);
        GemmShape best = shape;
        for (const GemmShape& neighbour : neighbours_of(shape, step)) {
          if (now() >= deadline) break;
          progress_("climbing", 0, 0);
          pool_.add(neighbour, rest_);
          if (rate_of(neighbour) > worth_a_step * std::max(here, rate_of(best))) best = neighbour;
        }
        if (best == shape) continue;
        // One look may flatter it.
        const auto& all = pool_.all();
        for (std::size_t i = 0; i < all.size(); ++i)
          if (all[i].shape == best && all[i].rates.size() < 3) pool_.look(i, rest_);
        if (rate_of(best) > worth_a_step * here) {
          shape = best;
          moved = true;
        }
      }
    }
  }

  const GemmBench& bench_;
  ShapePool& pool_;
  TimeBox box_;
  const SearchProgress& progress_;
  Seconds rest_;
};

/// How fast the chip is on a product of middle size; it decides which sizes are worth a look.
double rough_rate(const GemmBench& bench, ShapePool& pool) {
  const std::uint64_t side = bench.engine.info().device ? 4096 : 1024;
  const GemmShape shape{side, side, side};
  pool.load(bench.engine.memory_for(bench.kind, shape), bench.report.protocol.seed);
  pool.add(shape, bench.report.protocol.screen_rest);
  return pool.all().empty() ? 0 : pool.all().front().rate() * 1e12;
}

std::vector<GemmShape> candidates_for(const GemmBench& bench, const std::vector<GemmShape>& known_good, double rate) {
  const ProductTimes times = product_times(bench.engine, bench.report.protocol.budget);
  CandidateSpace space;
  space.units = bench.engine.info().units;
  space.known_good = known_good;
  space.multiple = multiple;
  space.least_operations = times.least_s * rate;
  space.most_operations = times.most_s * rate;
  std::vector<GemmShape> shapes = shape_candidates(space, most_candidates);
  // A chip that is slow in this type (float64 on many) has few shapes that are quick; longer products are better than
  // none.
  for (int i = 0; i < most_doublings && shapes.size() < least_candidates; ++i) {
    space.most_operations *= 2;
    shapes = shape_candidates(space, most_candidates);
  }
  const double most_memory = 0.8 * static_cast<double>(bench.engine.free_memory().count);
  const auto too_large = [&](const GemmShape& shape) {
    return static_cast<double>(bench.engine.memory_for(bench.kind, shape).count) > most_memory ||
           !bench.engine.refusal(bench.kind, shape).empty();
  };
  shapes.erase(std::remove_if(shapes.begin(), shapes.end(), too_large), shapes.end());
  return shapes;
}

/// A climb leaves many shapes that differ in k alone; a race among those would tell nothing about the others.
constexpr std::ptrdiff_t most_of_a_face = 2;
/// A longer k may lose this part in burst, and win under sustained power.
constexpr double long_k_loses = 0.985;

std::ptrdiff_t faces_like(const std::vector<Candidate>& candidates, const GemmShape& shape) {
  return std::count_if(candidates.begin(), candidates.end(),
                       [&](const Candidate& one) { return same_face(one.shape, shape); });
}

/// The candidate of the same face with the longest k among those that are nearly as fast; itself where it is that.
std::size_t longest_of_face(const ShapePool& pool, std::size_t index) {
  const auto& all = pool.all();
  std::size_t longest = index;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (same_face(all[i].shape, all[index].shape) && all[i].rate() > long_k_loses * all[index].rate() &&
        all[i].shape.k > all[longest].shape.k)
      longest = i;
  return longest;
}

}  // namespace

void search_in_burst(const GemmBench& bench, ShapePool& pool, const std::vector<GemmShape>& known_good, TimeBox box,
                     const SearchProgress& progress) {
  const double rate = rough_rate(bench, pool);
  if (rate <= 0) return;
  std::vector<GemmShape> shapes = candidates_for(bench, known_good, rate);
  for (const GemmShape& control : bench.report.protocol.controls) shapes.push_back(control);
  std::uint64_t room = 0;
  for (const GemmShape& shape : shapes) room = std::max(room, bench.engine.memory_for(bench.kind, shape).count);
  // A climb may go a little beyond the largest, and a stretched k further.
  room = std::min(room + room / 2,
                  static_cast<std::uint64_t>(0.9 * static_cast<double>(bench.engine.free_memory().count)));
  pool.load(Bytes{room}, bench.report.protocol.seed);
  BurstSearch search(bench, pool, box, progress);
  search.screen(shapes);
  search.look_again();
  search.try_algorithms();
  search.climb(box.at(climb_ends));
  search.stretch(box.at(1));
}

std::vector<Candidate> finalists_of(ShapePool& pool, std::size_t shapes, std::size_t second_algorithms) {
  std::vector<Candidate> first;
  std::vector<Candidate> second;
  for (const std::size_t index : pool.ranking()) {
    const GemmShape shape = pool.all()[index].shape;
    const auto is_shape = [&](const Candidate& one) { return one.shape == shape; };
    const auto found = std::find_if(first.begin(), first.end(), is_shape);
    const bool another = found != first.end();
    if (another && (static_cast<std::size_t>(found - first.begin()) >= second_algorithms ||
                    std::any_of(second.begin(), second.end(), is_shape)))
      continue;
    if (!another && (first.size() == shapes || faces_like(first, shape) >= most_of_a_face)) continue;
    if (pool.all()[index].rates.empty() || !pool.verify(index, GemmMode::burst)) continue;
    (another ? second : first).push_back(pool.all()[index]);
    if (first.size() == shapes && second.size() == std::min(second_algorithms, shapes)) break;
  }
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::vector<Candidate> sustained_candidates_of(ShapePool& pool, std::size_t faces, std::size_t second_algorithms) {
  std::vector<Candidate> chosen;
  const auto take = [&](std::size_t index) {
    const bool known = std::any_of(chosen.begin(), chosen.end(), [&](const Candidate& one) {
      return one.shape == pool.all()[index].shape && one.algorithm.name == pool.all()[index].algorithm.name;
    });
    if (!known && !pool.all()[index].rates.empty() && pool.verify(index, GemmMode::sustained))
      chosen.push_back(pool.all()[index]);
  };
  std::size_t seen = 0;
  const std::vector<std::size_t> order = pool.ranking();
  for (const std::size_t index : order) {
    if (seen == faces) break;
    if (faces_like(chosen, pool.all()[index].shape) > 0) continue;
    const std::size_t before = chosen.size();
    take(index);
    if (chosen.size() == before) continue;
    take(longest_of_face(pool, index));
    ++seen;
  }
  // The algorithm that is second in burst may draw less power and so be first under a power cap.
  const std::vector<Candidate> leading(chosen.begin(), chosen.end());
  std::size_t added = 0;
  for (const Candidate& leader : leading) {
    if (added == second_algorithms) break;
    const auto other = std::find_if(order.begin(), order.end(), [&](std::size_t index) {
      const Candidate& one = pool.all()[index];
      return one.shape == leader.shape && one.algorithm.name != leader.algorithm.name && !one.rates.empty();
    });
    if (other == order.end()) continue;
    take(*other);
    ++added;
  }
  return chosen;
}

}  // namespace shakedown
