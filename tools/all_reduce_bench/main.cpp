// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <thread>

#include "by_hand.h"
#include "plan.h"
#include "process_state.h"
#include "rank_run.h"
#include "shakedown/app/guard.h"
#include "shakedown/app/standard_streams.h"
#include "shakedown/app/stream_out.h"
#include "shakedown/hw/host.h"

namespace shakedown {
namespace {

constexpr const char* tool = "all_reduce_bench";

/// The first exit ends the job, so other ranks wait until rank 0 has spoken. True when this rank must speak itself:
/// rank 0 had nothing to say, or the launcher would have sent SIGTERM by now.
bool must_speak(const LaunchEnv& launch) {
  if (launch.rank.value_or(0) == 0) return true;
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  sigset_t pending;
  return sigpending(&pending) == 0 && sigismember(&pending, SIGTERM) == 0;
}

void tell(const std::string& message, const LaunchEnv& launch) {
  const std::string who = launch.rank.value_or(0) == 0 ? "" : fmt::format("rank {} on {}: ", *launch.rank, host_name());
  fmt::print(stderr, "{}: {}{}\n", tool, who, message);
}

ExitCode leave_early(const EarlyExit& early, const LaunchEnv& launch) {
  if (early.code == ExitCode::ok && launch.rank.value_or(0) != 0) return early.code;
  if (!early.err.empty() && must_speak(launch)) tell(early.err, launch);
  return write_all(STDOUT_FILENO, early.out) ? early.code : ExitCode::failed;
}

/// Finds mistakes that need no rank and no device, before anything is started.
void check_before_start(const Options& options, bool gpu) {
  constexpr Bytes any{std::numeric_limits<std::uint64_t>::max()};
  plan_protocol(options, {.on_gpu = gpu, .ranks = 1, .free_memory = any});
}

ResultWriter::Targets open_targets(const Options& options) {
  ResultWriter::Targets targets;
  targets.json_on_stdout = options.json == "-";
  if (options.json && !targets.json_on_stdout) targets.json = std::make_unique<OutputFile>(*options.json);
  if (options.output_file) targets.text = std::make_unique<OutputFile>(*options.output_file);
  targets.stdout_fd = claim_stdout();
  return targets;
}

/// A file that rank 0 could not write is told before ranks are started; where rank 0 runs elsewhere only that host can
/// tell.
void probe_targets(const Options& options) {
  if (options.hosts || options.hostfile) return;
  if (options.json && options.json != "-") const OutputFile probe(*options.json);
  if (options.output_file) const OutputFile probe(*options.output_file);
}

ExitCode print_plan(const Options& options, const ByHandPlan& plan, const BackendChoice& backend,
                    const LocalGpus& gpus) {
  const auto device = backend.gpu ? gpus.module->open_device(0) : make_cpu_device(plan.ranks);
  const Setting setting{.on_gpu = backend.gpu,
                        .ranks = plan.ranks,
                        .free_memory = device->free_memory(),
                        .memory_name = backend.gpu ? "GPU memory" : "host memory",
                        .cache = device->cache_to_leave()};
  const std::string text = describe_plan(plan_protocol(options, setting), setting);
  return write_all(STDOUT_FILENO, text) ? ExitCode::ok : ExitCode::failed;
}

/// One rank, with the threads that may end it early.
ExitCode run_with_threads(RankStart start, LocalGpus gpus, const EnvLookup& env) {
  ProcessState state(start.options.timeout, start.launch.rank.value_or(0) == 0);
  const LaunchEnv& launch = start.launch;
  const Whoami whoami{.tool = tool,
                      .host = host_name(),
                      .job = start.use_mpi ? env("PMIX_NAMESPACE").value_or("") : "",
                      .announced_size = launch.announced_size,
                      .local_size = launch.local_size.value_or(1),
                      .rank = launch.rank.value_or(-1)};
  const SignalThread signals([&state](StopSignal signal) { stop_on_signal(state, signal); });
  Watchdog watchdog(state.board, whoami, [&state](const SilenceReport& report) { stop_on_deadline(state, report); });
  state.watchdog = &watchdog;
  const ExitCode code = run_rank(std::move(start), std::move(gpus), state);
  state.watchdog = nullptr;
  return code;
}

ExitCode run(const std::vector<std::string>& words, const EnvLookup& env, const LaunchEnv& launch) {
  const std::vector<std::string> arguments(words.begin() + 1, words.end());
  const auto parsed = parse_options(arguments, SHAKEDOWN_VERSION);
  if (const auto* early = std::get_if<EarlyExit>(&parsed)) return leave_early(*early, launch);
  const auto& options = std::get<Options>(parsed);
  const bool places_ranks = options.ranks || options.hosts || options.hostfile;
  const bool by_hand = launch.launcher == Launcher::none || (places_ranks && launch.launcher != Launcher::open_mpi);
  RankStart start{.options = options,
                  .arguments = arguments,
                  .program = words.front(),
                  .version = SHAKEDOWN_VERSION,
                  .launch = launch,
                  .use_mpi = !by_hand,
                  .targets = {},
                  .out = detect_terminal(STDOUT_FILENO, !by_hand, env),
                  .err = detect_terminal(STDERR_FILENO, !by_hand, env)};
  LocalGpus gpus = look_for_gpus(options.backend);
  if (by_hand) {
    start.launch = {};
    const BackendChoice backend = choose_backend(options.backend, gpus);
    check_before_start(options, backend.gpu);
    const ByHandPlan plan = plan_by_hand(options, launch, backend, gpus.count, load_mpi_module().reason);
    if (options.dry_run) return print_plan(options, plan, backend, gpus);
    if (!options.quiet)
      fmt::print(stderr, "{}: measuring on the {} ({})\n", tool, backend.gpu ? "GPUs" : "CPU", backend.reason);
    if (!options.quiet && !plan.remark.empty()) fmt::print(stderr, "{}: {}\n", tool, plan.remark);
    if (plan.relaunch) probe_targets(options);
    if (plan.relaunch) return static_cast<ExitCode>(start_ranks(plan, options, backend.gpu, arguments));
  } else {
    check_joinable(launch);
    if (options.ranks && *options.ranks != launch.announced_size)
      throw UsageError(
          fmt::format("--ranks: {} ranks were asked for, but {} announces {}; leave it out under a launcher",
                      *options.ranks, launch.source, launch.announced_size));
  }
  if (start.launch.rank.value_or(0) == 0)
    start.targets = open_targets(options);
  else
    close(claim_stdout());
  return run_with_threads(std::move(start), std::move(gpus), env);
}

}  // namespace
}  // namespace shakedown

int main(int argc, char** argv) {
  using namespace shakedown;
  open_standard_streams();
  block_stop_signals();
  ignore_write_signals();
  const EnvLookup env = process_environment();
  return guard(tool, [&] {
    const LaunchEnv launch = read_launch_env(env);
    try {
      return run({argv, argv + argc}, env, launch);
    } catch (const Error& error) {
      if (must_speak(launch)) tell(error.what(), launch);
      return error.exit_code();
    }
  });
}
