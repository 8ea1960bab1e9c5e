// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shakedown/base/gemm_kind.h"

namespace shakedown {

/// Why this type can't be summed so, in words; empty when it can.
std::string accumulation_refusal(GemmType type, Accumulation accumulation);

/// fast for the float8 types, since that is how frameworks run them; standard otherwise.
Accumulation default_accumulation(GemmType type);

/// One kind a type. Throws UsageError when `accumulation` contradicts a type.
std::vector<GemmKind> kinds_of(const std::vector<GemmType>& types, std::optional<Accumulation> accumulation,
                               GemmLayout layout);

/// Every type with every accumulation that it has, or with `accumulation` alone.
std::vector<GemmKind> every_kind(std::optional<Accumulation> accumulation, GemmLayout layout);

}  // namespace shakedown
