// SPDX-License-Identifier: Apache-2.0
#include "shakedown/comm/launch_env.h"

#include <fmt/format.h>

#include <charconv>

#include "shakedown/base/error.h"

namespace shakedown {
namespace {

/// The variable's number; nothing where it is unset or empty. Only variables that decide something are read this way.
std::optional<int> number_in(const EnvLookup& env, const std::string& name) {
  const auto text = env(name);
  if (!text || text->empty()) return std::nullopt;
  int value = 0;
  const char* end = text->data() + text->size();
  const auto [stop, failure] = std::from_chars(text->data(), end, value);
  if (failure != std::errc{} || stop != end || value < 0)
    throw UsageError(fmt::format(
        "read the launcher's environment: {}='{}' is no number from 0 to 2147483647; unset it, or start the "
        "ranks with mpirun or srun --mpi=pmix",
        name, *text));
  return value;
}

bool is_set(const EnvLookup& env, const std::string& name) {
  const auto text = env(name);
  return text && !text->empty();
}

void announce(LaunchEnv& launch, Launcher launcher, const std::string& variable, int size) {
  launch.launcher = launcher;
  launch.announced_size = size;
  launch.source = fmt::format("{}={}", variable, size);
}

/// Slurm's list of tasks a node: "4(x2),3" is 4, 4, 3. Nothing where it can't be read.
std::optional<int> tasks_on_node(const std::string& list, int node) {
  const char* at = list.data();
  const char* const end = at + list.size();
  while (at < end) {
    int tasks = 0;
    int times = 1;
    auto read = std::from_chars(at, end, tasks);
    if (read.ec != std::errc{}) return std::nullopt;
    at = read.ptr;
    if (end - at > 2 && at[0] == '(' && at[1] == 'x') {
      read = std::from_chars(at + 2, end, times);
      if (read.ec != std::errc{} || read.ptr == end || *read.ptr != ')') return std::nullopt;
      at = read.ptr + 1;
    }
    if (node < times) return tasks;
    node -= times;
    if (at < end && *at++ != ',') return std::nullopt;
  }
  return std::nullopt;
}

void find_launcher(LaunchEnv& launch, const EnvLookup& env) {
  // mpirun -np 1 is a launcher too: starting mpirun again inside it would be a surprise.
  if (const auto size = number_in(env, "OMPI_COMM_WORLD_SIZE"); size && *size >= 1) {
    announce(launch, Launcher::open_mpi, "OMPI_COMM_WORLD_SIZE", *size);
    launch.rank = number_in(env, "OMPI_COMM_WORLD_RANK");
    launch.local_rank = number_in(env, "OMPI_COMM_WORLD_LOCAL_RANK");
    launch.local_size = number_in(env, "OMPI_COMM_WORLD_LOCAL_SIZE");
    if (launch.rank.value_or(0) >= launch.announced_size)
      throw UsageError(
          fmt::format("join the ranks: OMPI_COMM_WORLD_RANK={} does not fit {}; the variables are stale, unset them",
                      *launch.rank, launch.source));
    return;
  }
  if (const auto size = number_in(env, "PMI_SIZE"); size && *size > 1) {
    announce(launch, Launcher::pmi, "PMI_SIZE", *size);
    launch.rank = number_in(env, "PMI_RANK");
    return;
  }
  if (is_set(env, "SLURM_STEP_ID")) {
    if (const auto tasks = number_in(env, "SLURM_STEP_NUM_TASKS"); tasks && *tasks > 1) {
      announce(launch, Launcher::slurm, "SLURM_STEP_NUM_TASKS", *tasks);
      launch.rank = number_in(env, "SLURM_PROCID");
      launch.local_rank = number_in(env, "SLURM_LOCALID");
      launch.local_size =
          tasks_on_node(env("SLURM_STEP_TASKS_PER_NODE").value_or(""), number_in(env, "SLURM_NODEID").value_or(0));
      return;
    }
  }
  if (const auto size = number_in(env, "WORLD_SIZE"); size && *size > 1) {
    announce(launch, Launcher::torch, "WORLD_SIZE", *size);
    launch.rank = number_in(env, "RANK");
  }
}

}  // namespace

LaunchEnv read_launch_env(const EnvLookup& env) {
  LaunchEnv launch;
  find_launcher(launch, env);
  launch.has_pmix = is_set(env, "PMIX_NAMESPACE") && is_set(env, "PMIX_RANK");
  launch.slurm_allocation = is_set(env, "SLURM_JOB_ID") && launch.launcher == Launcher::none;
  if (launch.slurm_allocation) launch.slurm_nodes = number_in(env, "SLURM_NNODES").value_or(1);
  return launch;
}

void check_joinable(const LaunchEnv& launch) {
  if (launch.launcher == Launcher::torch)
    throw UsageError(fmt::format(
        "join the ranks: {} announces {} ranks of torchrun or a Kubernetes job, which this version cannot join (each "
        "process would "
        "be a world of 1); start it with mpirun or srun --mpi=pmix, or give --ranks N on one process to start N ranks "
        "from there",
        launch.source, launch.announced_size));
  if (launch.launcher == Launcher::slurm && !launch.has_pmix)
    throw UsageError(
        fmt::format("join the ranks: {} announces {} tasks, but without PMIx each of them would be a world of 1; use "
                    "srun --mpi=pmix (srun "
                    "--mpi=list shows what this Slurm has), or start it once inside sbatch or salloc, without srun",
                    launch.source, launch.announced_size));
}

void check_world_size(const LaunchEnv& launch, int world_size) {
  if (launch.launcher == Launcher::none || launch.announced_size == world_size) return;
  throw UsageError(
      fmt::format("join the ranks: {} announces {} ranks, but MPI says {}; the launcher and the MPI library do not "
                  "belong together, or the variable is "
                  "stale: use the mpirun of this Open MPI, srun --mpi=pmix, or unset it",
                  launch.source, launch.announced_size, world_size));
}

}  // namespace shakedown
