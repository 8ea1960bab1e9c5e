// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "shakedown/base/env.h"

namespace shakedown {

enum class Launcher {
  none,      ///< started by hand (also inside sbatch or salloc)
  open_mpi,  ///< mpirun's own variables
  slurm,     ///< a step of several tasks (srun)
  pmi,       ///< PMI_SIZE: another MPI's launcher, or srun --mpi=pmi2
  torch,     ///< WORLD_SIZE: torchrun or a Kubernetes PyTorchJob
};

/// What the environment says of how this process was started, decided before MPI_Init, which sets variables of its own.
struct LaunchEnv {
  Launcher launcher{Launcher::none};
  int announced_size{1};
  std::string source;            ///< the variable that said so, e.g. "OMPI_COMM_WORLD_SIZE=4"
  bool has_pmix{false};          ///< PMIX_NAMESPACE or PMIX_RANK is set, so MPI_Init will find the others
  bool slurm_allocation{false};  ///< sbatch or salloc, not a step
  int slurm_nodes{1};
  std::optional<int> rank;        ///< as the launcher says
  std::optional<int> local_rank;  ///< of the launcher that really started us
  std::optional<int> local_size;
};

/// Throws UsageError, which names the variable, when one that decides holds no number.
LaunchEnv read_launch_env(const EnvLookup& env);

/// Throws UsageError with both numbers and the remedy when the launcher announced another size than the world has.
void check_world_size(const LaunchEnv& launch, int world_size);

/// Throws UsageError with the remedy when this launcher can't be joined without MPI (torchrun, plain srun).
void check_joinable(const LaunchEnv& launch);

}  // namespace shakedown
