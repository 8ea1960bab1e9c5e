// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engines.h"
#include "options.h"
#include "plan.h"
#include "process_state.h"
#include "shakedown/app/terminal.h"
#include "shakedown/comm/launch_env.h"

namespace shakedown {

/// What one process starts with.
struct RunStart {
  Options options;                     ///< as this process was told; rank 0's count
  std::vector<std::string> arguments;  ///< rank 0's are handed to all
  std::string program;                 ///< argv[0], for the report
  std::string version;
  LaunchEnv launch;
  AskedShapes asked;
  ResultWriter::Targets targets;
  Terminal out;
  Terminal err;
};

/// The whole run of one process: rank 0 finds the best shapes on its first device, then every device, and every rank,
/// measures them. Tells its own failure on stderr (agreed ones on rank 0 alone) and ends the job in seconds.
ExitCode run_mamf(RunStart start, std::unique_ptr<MatrixModules> modules, ProcessState& state);

}  // namespace shakedown
