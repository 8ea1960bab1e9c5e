// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "report/json_parts.h"
#include "shakedown/model/gemm_report.h"

namespace shakedown {

/// "m", "n", "k".
Json shape_json(const GemmShape& shape);
/// "dtype", "accumulation", "layout", "output_dtype".
Json kind_json(const GemmKind& kind);
/// An entry of results.
Json result_json(const GemmResult& result);

}  // namespace shakedown
