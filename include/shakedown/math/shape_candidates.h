// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shakedown/base/gemm_kind.h"

namespace shakedown {

/// From what a search for the best shape starts.
struct CandidateSpace {
  int units{};                        ///< SMs or cores; 0 when unknown: every number of tiles is as good
  std::vector<GemmShape> known_good;  ///< earlier winners; always among the candidates, first
  std::uint64_t multiple{64};         ///< m, n and k are multiples of it
  double least_operations{};          ///< 2 m n k; smaller products time the launch
  double most_operations{};           ///< larger ones take too long; 0 for no limit
};

/// At most `count` shapes without duplicates, the most promising first, deterministic: the known good ones; shapes
/// whose tiles fill the units in whole waves; the best of the 1024 lattice; spread over sizes of product and over k,
/// since the size that a chip likes best is not known beforehand. Fewer when the limits leave fewer; the limits do not
/// bind the known good ones.
std::vector<GemmShape> shape_candidates(const CandidateSpace& space, std::size_t count);

/// Shapes one step from `shape` for a climb: m, n and k each to the next multiple of `step` above and below, the other
/// two left as they are, and m and n exchanged. None goes below one step. None at all for a step of 0.
std::vector<GemmShape> neighbours_of(const GemmShape& shape, std::uint64_t step);

}  // namespace shakedown
