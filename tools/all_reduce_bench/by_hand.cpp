// SPDX-License-Identifier: Apache-2.0
#include "by_hand.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <thread>

#include "shakedown/app/environment.h"
#include "shakedown/app/relaunch.h"
#include "shakedown/app/terminal.h"
#include "shakedown/base/error.h"
#include "shakedown/hw/host.h"

namespace shakedown {
namespace {

constexpr int default_cpu_ranks = 2;

/// Hosts that the command line names; 0 when it names none.
int count_hosts(const Options& options) {
  if (options.hosts) {
    const std::string list = "," + *options.hosts + ",";
    if (list.find(",,") != std::string::npos)
      throw UsageError(fmt::format("--hosts: '{}' holds an empty name; give node-a,node-b", *options.hosts));
    return static_cast<int>(std::count(list.begin(), list.end(), ',')) - 1;
  }
  if (!options.hostfile) return 0;
  if (!std::filesystem::is_regular_file(*options.hostfile))  // a FIFO would wait for its writer
    throw UsageError(fmt::format("--hostfile: '{}' is no file that can be read", *options.hostfile));
  std::ifstream file(*options.hostfile);
  if (!file) throw UsageError(fmt::format("--hostfile: '{}' can't be read", *options.hostfile));
  int hosts = 0;
  for (std::string line; std::getline(file, line);) {
    const std::size_t start = line.find_first_not_of(" \t\r");
    if (start != std::string::npos && line[start] != '#') ++hosts;
  }
  if (hosts == 0) throw UsageError(fmt::format("--hostfile: '{}' names no host", *options.hostfile));
  return hosts;
}

void check_fits_gpus(const ByHandPlan& plan, const Options& options, int nodes, int gpus) {
  if (options.share_gpu || plan.ranks <= gpus * nodes) return;
  const std::string where = nodes == 1 ? host_name() : fmt::format("{} hosts like {}", nodes, host_name());
  throw UsageError(fmt::format(
      "{}: {} ranks, {} visible {}; give --ranks {} at most, or --share-gpu when several ranks on one GPU are meant",
      where, plan.ranks, gpus * nodes, gpus * nodes == 1 ? "GPU" : "GPUs", gpus * nodes));
}

}  // namespace

ByHandPlan plan_by_hand(const Options& options, const LaunchEnv& launch, const BackendChoice& backend, int gpus,
                        const std::string& mpi_missing) {
  const int named_hosts = count_hosts(options);
  const std::optional<int> asked = options.ranks ? options.ranks : options.gpus_per_process;
  const int nodes = named_hosts > 0 ? named_hosts : launch.slurm_nodes;
  ByHandPlan plan;
  if (backend.gpu) {
    plan.ranks = asked.value_or(gpus * nodes);
    check_fits_gpus(plan, options, nodes, gpus);
    if (!asked && nodes > 1) plan.ranks_per_node = gpus;
  } else {
    plan.ranks = asked.value_or(std::max(default_cpu_ranks, nodes));
    if (!asked && nodes > 1) plan.ranks_per_node = 1;
  }
  plan.relaunch = plan.ranks > 1 || named_hosts > 0;
  if (!plan.relaunch || mpi_missing.empty()) return plan;
  if (asked || named_hosts > 0) throw Unavailable(fmt::format("start {} ranks: {}", plan.ranks, mpi_missing));
  plan.remark = fmt::format("one rank instead of {}, so nothing crosses a bus: {}", plan.ranks, mpi_missing);
  plan.ranks = 1;
  plan.relaunch = false;
  return plan;
}

std::vector<std::string> ranks_command(const ByHandPlan& plan, const Options& options, bool with_gpus,
                                       const std::vector<std::string>& arguments, const std::string& mpirun) {
  const EnvLookup env = process_environment();
  RelaunchPlan relaunch;
  relaunch.ranks = plan.ranks;
  relaunch.ranks_per_node = plan.ranks_per_node;
  relaunch.with_gpus = with_gpus;
  relaunch.hosts = options.hosts;
  relaunch.hostfile = options.hostfile;
  relaunch.command = {std::filesystem::read_symlink("/proc/self/exe").string()};
  relaunch.command.insert(relaunch.command.end(), arguments.begin(), arguments.end());
  relaunch.is_root = geteuid() == 0;
  relaunch.cores = static_cast<int>(std::thread::hardware_concurrency());
  relaunch.terminals =
      describe_terminals(detect_terminal(STDOUT_FILENO, false, env), detect_terminal(STDERR_FILENO, false, env));
  return mpirun_command(relaunch, mpirun, environment_names(environ));
}

int start_ranks(const std::vector<std::string>& command, int ranks, bool quiet) {
  if (!quiet) {
    std::vector<std::string> shown = command;
    shown[0] =
        std::filesystem::path(shown[0]).filename().string();  // as it is started; a full path would mean --prefix
    fmt::print(stderr, "all_reduce_bench: starting {} ranks: {}\n", ranks, quote_command(shown));
  }
  return run_and_wait(command);
}

}  // namespace shakedown
