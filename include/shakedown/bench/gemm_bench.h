// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "shakedown/base/clock.h"
#include "shakedown/base/progress.h"
#include "shakedown/base/stage_board.h"
#include "shakedown/base/units.h"
#include "shakedown/gemm/matrix_engine.h"
#include "shakedown/math/transformer.h"
#include "shakedown/model/gemm_report.h"

namespace shakedown {

/// What the measuring loops borrow from the process.
struct GemmTools {
  const Clock& clock;
  std::function<void(Seconds)> sleep;  ///< a parameter, so that tests need not wait
  StageBoard& board;
  Progress& progress;
  std::function<void()> on_change;  ///< the report has more to tell
};

/// One kind of product on one chip; each function of this file adds to `report`, whose protocol says how to measure.
struct GemmBench {
  MatrixEngine& engine;
  GemmKind kind;
  GemmPeak peak;  ///< a GPU's reading above it is refused, a CPU's is kept with a remark
  GemmReport& report;
  const GemmTools& tools;
};

/// Finds the best shape for each mode of the protocol within its budget, and measures it again: report.screened grows
/// while it looks, report.results and report.best hold what was measured whole. `known_good` are tried first.
void find_best(const GemmBench& bench, const std::vector<GemmShape>& known_good);

/// Measures each shape in the protocol's first mode, and the best of them in the others. `done` holds results of an
/// earlier run that need no second measurement; they are taken into the report as they are.
void measure_shapes(const GemmBench& bench, const std::vector<GemmShape>& shapes, const std::vector<GemmResult>& done);

/// Measures each product of a transformer in the suite's mode; fills report.suite.
void measure_suite(const GemmBench& bench, const std::vector<NamedGemm>& gemms);

/// One result in one mode with the algorithm of that name (or the library's first choice where it is not offered);
/// skipped or failed with the reason when it can't be. Does not touch the report.
GemmResult measure_one(const GemmBench& bench, GemmMode mode, const GemmShape& shape, const std::string& algorithm);

}  // namespace shakedown
