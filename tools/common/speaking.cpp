// SPDX-License-Identifier: Apache-2.0
#include "speaking.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "shakedown/app/stream_out.h"
#include "shakedown/hw/host.h"

namespace shakedown {

bool must_speak(const LaunchEnv& launch) {
  // Processes of torchrun or Kubernetes have a log each, and no launcher that ends the others.
  if (launch.rank.value_or(0) == 0 || launch.launcher == Launcher::torch) return true;
  if (launch.launcher == Launcher::slurm && !launch.has_pmix)
    return false;  // every task fails alike, and rank 0 says it
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  sigset_t pending;
  return sigpending(&pending) == 0 && sigismember(&pending, SIGTERM) == 0;
}

void tell(const std::string& tool, const std::string& message, const LaunchEnv& launch) {
  const std::string who = launch.rank.value_or(0) == 0 ? "" : fmt::format("rank {} on {}: ", *launch.rank, host_name());
  fmt::print(stderr, "{}: {}{}\n", tool, who, message);
}

ExitCode leave_early(const std::string& tool, const EarlyExit& early, const LaunchEnv& launch) {
  if (early.code == ExitCode::ok && launch.rank.value_or(0) != 0) return early.code;
  if (!early.err.empty() && must_speak(launch)) tell(tool, early.err, launch);
  return write_all(STDOUT_FILENO, early.out) ? early.code : ExitCode::failed;
}

}  // namespace shakedown
