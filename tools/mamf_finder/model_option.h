// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "shakedown/math/transformer.h"

namespace shakedown {

/// Reads "hidden=4096,layers=32,...". Throws UsageError that names each key that is missing, unknown, repeated or bad.
TransformerShape parse_model(const std::string& text);

/// The model and what its products leave out, in words.
std::string describe(const TransformerShape& model);

}  // namespace shakedown
