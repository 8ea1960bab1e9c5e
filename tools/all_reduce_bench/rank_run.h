// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backend_choice.h"
#include "options.h"
#include "process_state.h"
#include "shakedown/app/terminal.h"
#include "shakedown/base/exit_code.h"
#include "shakedown/comm/launch_env.h"

namespace shakedown {

/// What one rank starts with.
struct RankStart {
  Options options;                     ///< as this process was told; rank 0's count
  std::vector<std::string> arguments;  ///< rank 0's are handed to all
  std::string program;                 ///< argv[0], for the report
  std::string version;
  LaunchEnv launch;
  bool use_mpi{true};  ///< else one rank without MPI
  ResultWriter::Targets targets;
  Terminal out;
  Terminal err;
};

/// The whole run of one rank. Tells its own failure on stderr (agreed ones on rank 0 alone) and ends the job in
/// seconds.
ExitCode run_rank(RankStart start, LocalGpus gpus, ProcessState& state);

}  // namespace shakedown
