// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "shakedown/math/transformer.h"

namespace shakedown {

/// Reads lines of "m n k [count] [name]" or "MxNxK [count] [name]"; commas may stand for blanks, a first line of column
/// names is passed over, and # starts a comment. Throws UsageError that names `path` and the line.
std::vector<NamedGemm> parse_shapes(const std::string& text, const std::string& path);

/// Throws UsageError when the file can't be read.
std::vector<NamedGemm> read_shapes(const std::string& path);

/// A whole file. Throws UsageError that names `option` when it can't be read.
std::string read_file(const std::string& path, const std::string& option);

}  // namespace shakedown
