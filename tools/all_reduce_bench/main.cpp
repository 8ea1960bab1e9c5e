// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <limits>

#include "by_hand.h"
#include "ending_threads.h"
#include "plan.h"
#include "process_state.h"
#include "rank_run.h"
#include "result_files.h"
#include "shakedown/app/relaunch.h"
#include "shakedown/app/standard_streams.h"
#include "shakedown/app/stream_out.h"
#include "shakedown/base/error.h"
#include "speaking.h"
#include "tool_main.h"

namespace shakedown {
namespace {

constexpr const char* tool = "all_reduce_bench";

/// Finds mistakes that need no rank and no device, before anything is started.
void check_before_start(const Options& options, bool gpu) {
  constexpr Bytes any{std::numeric_limits<std::uint64_t>::max()};
  plan_protocol(options, {.on_gpu = gpu, .ranks = 1, .free_memory = any});
}

void print_plan(const Options& options, const ByHandPlan& plan, const BackendChoice& backend, const LocalGpus& gpus) {
  const auto device = backend.gpu ? gpus.module->open_device(0) : make_cpu_device(plan.ranks);
  const Setting setting{.on_gpu = backend.gpu,
                        .ranks = plan.ranks,
                        .free_memory = device->free_memory(),
                        .memory_name = backend.gpu ? "GPU memory" : "host memory",
                        .cache = device->cache_to_leave()};
  const std::string text = describe_plan(plan_protocol(options, setting), setting);
  if (!write_all(STDOUT_FILENO, text)) throw Error("write the plan to stdout: it could not be written");
}

/// What a process that was started by hand has found out before it measures, starts ranks, or is done.
struct ByHand {
  BackendChoice backend;
  ByHandPlan plan;
  std::vector<std::string> command;  ///< of mpirun; empty when this process measures
};

ByHand prepare_by_hand(const Options& options, const LaunchEnv& launch, const LocalGpus& gpus,
                       const std::vector<std::string>& arguments) {
  ByHand hand{.backend = choose_backend(options.backend, gpus), .plan = {}, .command = {}};
  check_before_start(options, hand.backend.gpu);
  hand.plan = plan_by_hand(options, launch, hand.backend, gpus.count, load_mpi_module().reason);
  if (!hand.plan.relaunch) return hand;
  // A file that rank 0 could not write is told before ranks are started; where rank 0 runs elsewhere only that host can
  // tell.
  if (!options.hosts && !options.hostfile) open_files(options);
  hand.command =
      ranks_command(hand.plan, options, hand.backend.gpu, arguments, find_open_mpi_launcher(process_environment()));
  return hand;
}

void tell_by_hand(const ByHand& hand, bool quiet) {
  if (quiet) return;
  fmt::print(stderr, "{}: measuring on the {} ({})\n", tool, hand.backend.gpu ? "GPUs" : "CPU", hand.backend.reason);
  if (!hand.plan.remark.empty()) fmt::print(stderr, "{}: {}\n", tool, hand.plan.remark);
}

/// --ranks and --hosts start ranks from here although variables announce a launcher: they are stale, or this is its
/// rank 0.
bool overrides_launcher(const Options& options, const LaunchEnv& launch) {
  const bool places_ranks = options.ranks || options.hosts || options.hostfile;
  if (!places_ranks || launch.launcher == Launcher::open_mpi || launch.has_pmix) return false;
  if (launch.rank.value_or(0) > 0)
    throw UsageError(
        fmt::format("--ranks, --hosts: {} and rank {} say that others start this, too, and each would start ranks of "
                    "its own; start it "
                    "once, or unset the variables",
                    launch.source, *launch.rank));
  return true;
}

void check_joins(const Options& options, const LaunchEnv& launch) {
  check_joinable(launch);
  if (options.gpus_per_process.value_or(1) != 1)
    throw UsageError(
        fmt::format("-g: {} GPUs a process (nccl-tests) are not offered under a launcher, where each rank holds one "
                    "GPU: start {} times as many ranks",
                    *options.gpus_per_process, *options.gpus_per_process));
  if (options.ranks && *options.ranks != launch.announced_size)
    throw UsageError(fmt::format("--ranks: {} ranks were asked for, but {} announces {}; leave it out under a launcher",
                                 *options.ranks, launch.source, launch.announced_size));
}

ExitCode run(const std::vector<std::string>& words, const EnvLookup& env, const LaunchEnv& launch) {
  const std::vector<std::string> arguments(words.begin() + 1, words.end());
  const auto parsed = parse_options(arguments, SHAKEDOWN_VERSION);
  if (const auto* early = std::get_if<EarlyExit>(&parsed)) return leave_early(tool, *early, launch);
  const auto& options = std::get<Options>(parsed);
  const bool by_hand = launch.launcher == Launcher::none || overrides_launcher(options, launch);
  if (!by_hand) check_joins(options, launch);
  RankStart start{.options = options,
                  .arguments = arguments,
                  .program = words.front(),
                  .version = SHAKEDOWN_VERSION,
                  .launch = by_hand ? LaunchEnv{} : launch,
                  .use_mpi = !by_hand,
                  .targets = {},
                  .out = detect_terminal(STDOUT_FILENO, !by_hand, env),
                  .err = detect_terminal(STDERR_FILENO, !by_hand, env)};
  const bool speaks = start.launch.rank.value_or(0) == 0;
  ProcessState state(options.timeout, !by_hand, speaks);
  auto threads = std::make_unique<EndingThreads>(state, describe_process(tool, start.launch, env));
  state.board.enter(Stage::open_device);
  LocalGpus gpus = look_for_gpus(options.backend);
  if (by_hand) {
    const ByHand hand = prepare_by_hand(options, launch, gpus, arguments);
    if (options.dry_run) {
      if (!hand.plan.relaunch) open_files(options);
      print_plan(options, hand.plan, hand.backend, gpus);
      return ExitCode::ok;
    }
    tell_by_hand(hand, options.quiet);
    if (hand.plan.relaunch) {
      threads.reset();  // from here on run_and_wait takes the signals
      return static_cast<ExitCode>(start_ranks(hand.command, hand.plan.ranks, options.quiet));
    }
  }
  if (speaks) start.targets = open_files(options);
  if (options.dry_run) {
    ByHandPlan plan;
    plan.ranks = launch.announced_size;
    if (speaks) print_plan(options, plan, choose_backend(options.backend, gpus), gpus);
    return ExitCode::ok;
  }
  const int result_fd = claim_stdout();  // on every rank: libraries print on all of them
  if (speaks) start.targets.stdout_fd = result_fd;
  return run_rank(std::move(start), std::move(gpus), state);
}

}  // namespace
}  // namespace shakedown

int main(int argc, char** argv) { return shakedown::run_tool(shakedown::tool, argc, argv, shakedown::run); }
