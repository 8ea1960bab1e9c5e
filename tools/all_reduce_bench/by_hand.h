// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backend_choice.h"
#include "options.h"
#include "shakedown/comm/launch_env.h"

namespace shakedown {

/// What a tool that was started by hand does: measure in this process, start ranks, or just tell.
struct ByHandPlan {
  int ranks{1};
  int ranks_per_node{0};
  bool relaunch{false};  ///< else one rank, in this process, without MPI
  std::string remark;    ///< for stderr
};

/// Throws UsageError when the ranks don't fit the GPUs. `mpi_missing` says why ranks can't be started from here; empty
/// when they can.
ByHandPlan plan_by_hand(const Options& options, const LaunchEnv& launch, const BackendChoice& backend, int gpus,
                        const std::string& mpi_missing);

/// The mpirun line. Throws UsageError where the hosts' slots don't hold the ranks.
std::vector<std::string> ranks_command(const ByHandPlan& plan, const Options& options, bool with_gpus,
                                       const std::vector<std::string>& arguments, const std::string& mpirun);

/// Starts the ranks, and returns the status that the tool ends with. No SignalThread may run meanwhile.
int start_ranks(const std::vector<std::string>& command, int ranks, bool quiet);

}  // namespace shakedown
