// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "shakedown/base/exit_code.h"

namespace shakedown {

/// What to print and how to leave when the command line asks for no run.
struct EarlyExit {
  ExitCode code{ExitCode::ok};
  std::string out;  ///< for stdout: --help, --version
  std::string err;  ///< for stderr: what was given, what is allowed
};

}  // namespace shakedown
