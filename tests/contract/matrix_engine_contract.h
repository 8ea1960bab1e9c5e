// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "contract/contract.h"
#include "shakedown/gemm/matrix_engine.h"

namespace shakedown::testing {

/// What every MatrixEngine promises (matrix_engine_contract.cpp).
class MatrixEngineContract : public Contract<MatrixEngine> {
 protected:
  /// The kinds in the default accumulation and layout that this engine multiplies; never none.
  std::vector<GemmKind> kinds();
  /// Loads operands for all of these shapes.
  void load_for(const GemmKind& kind, const std::vector<GemmShape>& shapes, GemmData data = GemmData::normal,
                std::uint64_t seed = 1);
  /// With the library's first choice.
  std::unique_ptr<PreparedGemm> prepare(const GemmShape& shape);
};

}  // namespace shakedown::testing
