// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "shakedown/app/watchdog.h"
#include "shakedown/base/env.h"
#include "shakedown/base/exit_code.h"
#include "shakedown/comm/launch_env.h"

namespace shakedown {

/// A tool's own part of main; `words` starts with the program's name.
using ToolRun =
    std::function<ExitCode(const std::vector<std::string>& words, const EnvLookup& env, const LaunchEnv& launch)>;

/// main of every tool: streams and signals are set up before any library starts a thread, and an error is told by one
/// rank. The process's status.
int run_tool(const std::string& tool, int argc, char** argv, const ToolRun& run);

/// What the watchdog says of this process; `launch` is empty where it was started by hand.
Whoami describe_process(const std::string& tool, const LaunchEnv& launch, const EnvLookup& env);

}  // namespace shakedown
