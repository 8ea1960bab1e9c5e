// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "shakedown/base/units.h"

namespace shakedown {

/// A program that runs under us, in its own process group.
struct Child {
  int pid{};
  int output{-1};  ///< where its stdout can be read; the caller closes it
};

/// Starts a program: stdin is /dev/null, stop signals reach it, it gets SIGTERM when we die. Throws Error when it can't
/// be started.
Child start_child(const std::vector<std::string>& command, bool with_stderr);

/// What a program prints on both streams; it is killed after `patience`, and then what it printed so far is returned.
std::string read_output_of(const std::vector<std::string>& command, Seconds patience);

}  // namespace shakedown
