// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shakedown/base/env.h"

namespace shakedown {

/// How a tool that was started by hand starts its ranks.
struct RelaunchPlan {
  int ranks{2};
  int ranks_per_node{0};  ///< 0: as the host list says
  bool with_gpus{false};
  std::optional<std::string> hosts;
  std::optional<std::string> hostfile;
  std::vector<std::string> command;  ///< the program (absolute path) and its options
  bool is_root{false};
  int cores{1};
  std::string terminals;  ///< SHAKEDOWN_TERMINAL for the ranks
};

/// The mpirun line: --bind-to none with GPUs, -x for PATH, LD_LIBRARY_PATH, NCCL_*, UCX_*, CUDA_*, root in a container and fewer cores
/// than ranks allowed. Pure. `environment_names` are the names that are set.
std::vector<std::string> mpirun_command(const RelaunchPlan& plan, const std::string& mpirun, const std::vector<std::string>& environment_names);

/// Path of Open MPI's mpirun. Throws Unavailable when there is none, or when it is another MPI's (named).
std::string find_open_mpi_launcher(const EnvLookup& env);

/// Runs mpirun as a child in its own process group, hands its output on (a write error is ExitCode::failed), forwards one stop signal, and
/// returns the status that the tool itself would have had: 128 + signal after a signal that we received, failed when a rank was killed.
int run_and_wait(const std::vector<std::string>& command);

/// A shell-quoted line, for people.
std::string quote_command(const std::vector<std::string>& command);

}  // namespace shakedown
