// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace shakedown {

/// What a relaunched run ends with, and what there is to say about it.
struct RelaunchStatus {
  int code{};
  std::string message;  ///< empty when the ranks have said it all
};

/// Makes our status of mpirun's (as waitpid gives it) and of the stop signal that we received (0: none).
RelaunchStatus judge_mpirun_status(int wait_status, int stop_signal);

}  // namespace shakedown
