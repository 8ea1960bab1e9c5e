// SPDX-License-Identifier: Apache-2.0
#include "process_state.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <thread>

#include "shakedown/app/stream_out.h"

namespace shakedown {
namespace {

/// Inside the 0.9 s that a stopping process has; the watchdog's speaker has no more either.
constexpr Seconds patience{0.5};
/// mpirun kills the rest at once when the first rank is gone, so the other ranks give rank 0 the time to write.
constexpr std::chrono::milliseconds courtesy{700};

const char* name_of_signal(int number) {
  switch (number) {
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    case SIGHUP:
      return "SIGHUP";
    default:
      return "a signal";
  }
}

}  // namespace

void stop_on_signal(ProcessState& state, StopSignal signal) {
  std::string reason = fmt::format("stopped by {}", name_of_signal(signal.number));
  const Watchdog* watchdog = state.watchdog;
  if (watchdog != nullptr && signal.number == SIGTERM && signal.sender_pid == getppid()) {
    if (state.under_launcher) reason = "stopped by the launcher (SIGTERM; Ctrl-C comes as this, too)";
    const SilenceReport around = watchdog->look_around();
    if (around.names_culprit) {
      write_all(STDERR_FILENO, around.text, patience);
      reason += "; " + around.text.substr(0, around.text.find('\n'));
    }
  }
  if (ResultWriter* writer = state.writer)
    writer->finish({.complete = false, .reason = reason, .duration = state.elapsed()}, patience);
  if (!state.speaker) std::this_thread::sleep_for(courtesy);
}

void stop_on_deadline(ProcessState& state, const SilenceReport& report) {
  if (ResultWriter* writer = state.writer)
    writer->finish(
        {.complete = false, .reason = report.text.substr(0, report.text.find('\n')), .duration = state.elapsed()},
        patience);
}

}  // namespace shakedown
