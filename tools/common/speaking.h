// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "early_exit.h"
#include "shakedown/comm/launch_env.h"

namespace shakedown {

/// The first exit ends the job, so other ranks wait until rank 0 has spoken. True when this rank must speak itself:
/// rank 0 had nothing to say, or the launcher would have sent SIGTERM by now.
bool must_speak(const LaunchEnv& launch);

/// One message on stderr; a rank other than 0 says who it is.
void tell(const std::string& tool, const std::string& message, const LaunchEnv& launch);

/// Prints what the command line asked for instead of a run, on rank 0 where all would say the same. The process's
/// status.
ExitCode leave_early(const std::string& tool, const EarlyExit& early, const LaunchEnv& launch);

}  // namespace shakedown
