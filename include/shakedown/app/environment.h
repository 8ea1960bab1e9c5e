// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "shakedown/model/run_context.h"

namespace shakedown {

/// The variables of `environ` that a report may hold: an allow-list of prefixes (NCCL_, UCX_, OMPI_MCA_, CUDA_, SLURM_
/// ...), never a name with JWT, TOKEN, SECRET, PASS, CRED or KEY. Sorted by name.
NamedValues reportable_environment(const char* const* environment);

/// Names that are set, sorted.
std::vector<std::string> environment_names(const char* const* environment);

/// UTC now, ISO 8601, seconds: "2026-11-30T12:00:00Z".
std::string utc_now();

}  // namespace shakedown
