// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shakedown {

/// What a path for results leads to.
struct OutputTarget {
  std::string path;        ///< links resolved
  int open_fd{-1};         ///< the descriptor that the path names (/dev/stdout, /dev/fd/3), else -1
  bool replaceable{true};  ///< a regular or an absent file
};

/// Follows links and looks at what is there. Throws UsageError, with the remedy, for what can never be written: a
/// directory, a file without write permission, a block device, a path through something that is no directory.
OutputTarget resolve_output_target(const std::string& path);

/// "cannot write results to 'x': why; remedy".
std::string cannot_write(const std::string& path, const std::string& why, const std::string& remedy);

}  // namespace shakedown
