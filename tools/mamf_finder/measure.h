// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engines.h"
#include "plan.h"

namespace shakedown {

/// Measures one kind on the device of this seat, as the report's protocol says: a search, a sweep, or a model's
/// products.
void measure_kind(EngineSeat& seat, const GemmKind& kind, const AskedShapes& asked, GemmReport& report,
                  const GemmTools& tools);

/// Of the earlier results those that this kind, these modes and this device would measure again.
std::vector<GemmResult> reusable(const std::vector<GemmResult>& earlier, const GemmKind& kind,
                                 const GemmProtocol& protocol, const EngineInfo& info, const std::string& host);

}  // namespace shakedown
