// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "shakedown/math/shape_candidates.h"

namespace shakedown {

/// A shape and how much the model expects of it, as a fraction of the best.
struct RatedShape {
  GemmShape shape;
  double score{};
};

/// Where candidates come from.
enum class PoolSource {
  whole_waves,  ///< rows and columns of a library's tiles that fill the units in (nearly) whole waves
  lattice,      ///< m, n and k multiples of 1024, as the scripts of the field scan them
};

/// Every shape of one source that `space` allows, thinned to one of each pair of m and n within a quarter of an octave.
std::vector<RatedShape> shape_pool(const CandidateSpace& space, PoolSource source);

}  // namespace shakedown
