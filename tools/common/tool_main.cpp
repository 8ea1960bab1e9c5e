// SPDX-License-Identifier: Apache-2.0
#include "tool_main.h"

#include "shakedown/app/guard.h"
#include "shakedown/app/signals.h"
#include "shakedown/app/standard_streams.h"
#include "shakedown/app/stream_out.h"
#include "shakedown/hw/host.h"
#include "speaking.h"

namespace shakedown {

int run_tool(const std::string& tool, int argc, char** argv, const ToolRun& run) {
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

Whoami describe_process(const std::string& tool, const LaunchEnv& launch, const EnvLookup& env) {
  const bool by_hand = launch.launcher == Launcher::none;
  return {.tool = tool,
          .host = host_name(),
          .job = by_hand ? "" : env("PMIX_NAMESPACE").value_or(""),
          .announced_size = launch.announced_size,
          .local_size = launch.local_size.value_or(1),
          .rank = launch.rank.value_or(-1)};
}

}  // namespace shakedown
