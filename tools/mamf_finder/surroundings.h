// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "shakedown/comm/session.h"
#include "shakedown/gemm/matrix_engine.h"
#include "shakedown/model/run_context.h"

namespace shakedown {

/// Who takes part, with what: every rank, and every device of this process (`own`, the first of them the one that
/// searches). The backend is left open.
RunContext gather_context(Session& session, const std::vector<EngineInfo>& own, NamedValues versions);

}  // namespace shakedown
