// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "shakedown/base/env.h"
#include "shakedown/base/progress.h"

namespace shakedown {

/// What a stream is attached to, found out once.
struct Terminal {
  bool interactive{false};  ///< a person watches: progress may overwrite its line
  bool color{false};
  int columns{100};
};

/// Under a launcher isatty lies (mpirun gives every rank a pty), so there a stream counts as a terminal only when a
/// tool that started itself again said so in SHAKEDOWN_TERMINAL. NO_COLOR and TERM=dumb are obeyed.
Terminal detect_terminal(int fd, bool under_launcher, const EnvLookup& env);

/// SHAKEDOWN_TERMINAL's value for the ranks that this process starts: what its own stdout and stderr are.
std::string describe_terminals(const Terminal& out, const Terminal& err);

/// One line on stderr, overwritten; silent where nobody watches.
std::unique_ptr<Progress> make_progress(const Terminal& err, bool quiet);

}  // namespace shakedown
