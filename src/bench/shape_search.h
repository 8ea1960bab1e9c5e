// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/gemm_meter.h"
#include "bench/shape_pool.h"
#include "shakedown/bench/gemm_bench.h"

namespace shakedown {

/// Tells a person who waits where a search is.
using SearchProgress = std::function<void(const std::string& phase, std::size_t done, std::size_t all)>;

/// From `start` on, `length` long: a search divides it among its phases.
struct TimeBox {
  Seconds start{};
  Seconds length{};
  [[nodiscard]] Seconds at(double share) const { return start + share * length; }
};

/// Fills the pool: screens candidates once each, looks again at the better ones (halving), tries the algorithms of the
/// best, climbs from there in steps of m, n and k, and stretches k; each phase until its share of the box is used up.
void search_in_burst(const GemmBench& bench, ShapePool& pool, const std::vector<GemmShape>& known_good, TimeBox box,
                     const SearchProgress& progress);

/// The pool's best in burst whose product is right, at most `shapes` shapes (two of one m x n at most) with their
/// fastest algorithm, and the second algorithm of the first `second_algorithms` of them.
std::vector<Candidate> finalists_of(ShapePool& pool, std::size_t shapes, std::size_t second_algorithms);

/// What may lead under sustained power: of each of the best `faces` (m x n) the fastest and the one with the longest k,
/// and second algorithms of some.
std::vector<Candidate> sustained_candidates_of(ShapePool& pool, std::size_t faces, std::size_t second_algorithms);

/// Measures the finalists in turn in burst: results in the report, and the finalists again, the best first.
std::vector<Candidate> race_in_burst(const GemmBench& bench, GemmMeter& meter, ShapePool& pool,
                                     const std::vector<Candidate>& finalists, Seconds deadline,
                                     const SearchProgress& progress);

/// Soaks the chip, compares the candidates in short stretches of sustained work, the better ones in longer ones; the
/// best first. Results of the longer ones are in the report.
std::vector<Candidate> race_sustained(const GemmBench& bench, GemmMeter& meter, ShapePool& pool,
                                      const std::vector<Candidate>& candidates, TimeBox box,
                                      const SearchProgress& progress);

/// Measures the winner again in this mode, on fresh data, with the protocol's controls beside it, verifies it and makes
/// it the report's best whatever it reads, so that the headline is no winner's curse. False when it could not be
/// measured, or is wrong.
bool confirm(const GemmBench& bench, GemmMeter& meter, ShapePool& pool, GemmMode mode, const Candidate& winner);

}  // namespace shakedown
