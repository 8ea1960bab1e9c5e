// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include "dry_run.h"
#include "ending_threads.h"
#include "result_files.h"
#include "run.h"
#include "shakedown/app/standard_streams.h"
#include "shakedown/app/stream_out.h"
#include "shakedown/base/error.h"
#include "speaking.h"
#include "tool_main.h"

namespace shakedown {
namespace {

constexpr const char* tool = "mamf_finder";

ExitCode run(const std::vector<std::string>& words, const EnvLookup& env, const LaunchEnv& launch) {
  const std::vector<std::string> arguments(words.begin() + 1, words.end());
  const auto parsed = parse_options(arguments, SHAKEDOWN_VERSION);
  if (const auto* early = std::get_if<EarlyExit>(&parsed)) return leave_early(tool, *early, launch);
  const auto& options = std::get<Options>(parsed);
  const bool launched = launch.launcher != Launcher::none;
  if (launched) check_joinable(launch);
  const bool speaks = launch.rank.value_or(0) == 0;
  ProcessState state(options.timeout, launched, speaks);
  const EndingThreads threads(state, describe_process(tool, launch, env));
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

int main(int argc, char** argv) { return shakedown::run_tool(shakedown::tool, argc, argv, shakedown::run); }
