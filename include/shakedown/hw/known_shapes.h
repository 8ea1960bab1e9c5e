// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "shakedown/base/gemm_kind.h"
#include "shakedown/hw/gemm_peak.h"

namespace shakedown {

/// Shapes that were the fastest in earlier measurements of this chip's generation in this type or one of the same
/// width, from where a search may start; none where none is known. Sources are beside them in the table.
std::vector<GemmShape> known_good_shapes(const ChipFacts& chip, GemmType type);

}  // namespace shakedown
