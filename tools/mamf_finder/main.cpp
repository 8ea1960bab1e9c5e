// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include "dry_run.h"
#include "ending_threads.h"
#include "result_files.h"
#include "run.h"
#include "shakedown/app/guard.h"
#include "shakedown/app/standard_streams.h"
#include "shakedown/app/stream_out.h"
#include "shakedown/base/env.h"
#include "shakedown/hw/host.h"
#include "speaking.h"

namespace shakedown {
namespace {

constexpr const char* tool = "mamf_finder";

Whoami describe_process(const LaunchEnv& launch, const EnvLookup& env) {
  const bool by_hand = launch.launcher == Launcher::none;
  return {.tool = tool,
          .host = host_name(),
          .job = by_hand ? "" : env("PMIX_NAMESPACE").value_or(""),
          .announced_size = launch.announced_size,
          .local_size = launch.local_size.value_or(1),
          .rank = launch.rank.value_or(-1)};
}

ExitCode run(const std::vector<std::string>& words, const EnvLookup& env, const LaunchEnv& launch) {
  const std::vector<std::string> arguments(words.begin() + 1, words.end());
  const auto parsed = parse_options(arguments, SHAKEDOWN_VERSION);
  if (const auto* early = std::get_if<EarlyExit>(&parsed)) return leave_early(tool, *early, launch);
  const auto& options = std::get<Options>(parsed);
  const bool launched = launch.launcher != Launcher::none;
  if (launched) check_joinable(launch);
  const bool speaks = launch.rank.value_or(0) == 0;
  ProcessState state(options.timeout, launched, speaks);
  const EndingThreads threads(state, describe_process(launch, env));
  state.board.enter(Stage::open_device);
  AskedShapes asked = asked_shapes(options);
  auto modules = std::make_unique<MatrixModules>(installed_loaders(), options.backend);
  RunStart start{.options = options,
                 .arguments = arguments,
                 .program = words.front(),
                 .version = SHAKEDOWN_VERSION,
                 .launch = launch,
                 .asked = std::move(asked),
                 .targets = {},
                 .out = detect_terminal(STDOUT_FILENO, launched, env),
                 .err = detect_terminal(STDERR_FILENO, launched, env)};
  if (speaks) start.targets = open_files(options);
  if (options.dry_run) {
    if (!speaks) return ExitCode::ok;
    const std::string text = describe_run(options, start.asked, *modules);
    if (!write_all(STDOUT_FILENO, text)) throw Error("write the plan to stdout: it could not be written");
    return ExitCode::ok;
  }
  const int result_fd = claim_stdout();  // on every rank: libraries print on all of them
  if (speaks) start.targets.stdout_fd = result_fd;
  return run_mamf(std::move(start), std::move(modules), state);
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
      if (must_speak(launch)) tell(tool, error.what(), launch);
      return error.exit_code();
    }
  });
}
