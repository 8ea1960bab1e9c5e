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
  int cores{1};           ///< of this host; the others are taken to be like it
  std::string terminals;  ///< SHAKEDOWN_TERMINAL for the ranks
};

/// The mpirun line (Open MPI 4 and 5): binding off, -x for PATH, LD_LIBRARY_PATH, NCCL_*, UCX_*, CUDA_*, NVIDIA_*, root
/// and fewer cores than ranks allowed, slots for each host. Pure. `environment_names` are the names that are set.
/// Throws UsageError when the host list says its slots and they are fewer than the ranks.
std::vector<std::string> mpirun_command(const RelaunchPlan& plan, const std::string& mpirun,
                                        const std::vector<std::string>& environment_names);

/// Path of Open MPI's mpirun, or of mpirun.openmpi where mpirun is another MPI's. Throws Unavailable, with the remedy,
/// when there is none, or only another MPI's (named). Asks each candidate for its version, for five seconds at most.
std::string find_open_mpi_launcher(const EnvLookup& env);

/// Whose launcher printed this for --version: "Open MPI", "Intel MPI", ...; a description for people when it isn't
/// known.
std::string name_mpi(const std::string& version_text);

/// Runs mpirun as a child in its own process group, hands its output on (a write error is ExitCode::failed; a reader
/// that left is so without a message), forwards stop signals (one in three seconds, since a second one makes mpirun
/// kill at once), and returns the status that the tool itself would have had: 128 + signal after a signal that we
/// received, failed when a rank was killed. There must be no SignalThread. Throws Error when the program can't be
/// started.
int run_and_wait(const std::vector<std::string>& command);

/// A shell-quoted line, for people.
std::string quote_command(const std::vector<std::string>& command);

}  // namespace shakedown
