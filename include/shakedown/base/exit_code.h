// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shakedown {

/// What a process tells its caller; the same in every tool (docs/exit-codes.md).
enum class ExitCode : int {
  ok = 0,            ///< measured, and no check failed
  failed = 1,        ///< the run failed
  usage = 2,         ///< bad option or value; nothing was measured
  check_failed = 3,  ///< measured, and the verdict is fail
  unavailable = 4,   ///< the asked backend, device or library is not there
  deadline = 5,      ///< some rank or stage never answered
  hangup = 129,
  interrupted = 130,
  terminated = 143,
};

}  // namespace shakedown
