// SPDX-License-Identifier: Apache-2.0
// A rank that says "up STAGE" once its stage can be seen in /proc, and then is silent. Usage: watched_rank
// LIMIT_SECONDS
#include <unistd.h>

#include <cstdlib>
#include <string>

#include "shakedown/app/stream_out.h"
#include "shakedown/app/watchdog.h"
#include "shakedown/base/env.h"
#include "shakedown/hw/siblings.h"

namespace {

using namespace shakedown;

std::string own_stage(const std::string& job) {
  for (const Sibling& sibling : find_siblings(job)) {
    if (sibling.pid == ::getpid()) return sibling.stage;
  }
  return {};
}

}  // namespace

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const auto env = process_environment();
  Whoami whoami{"watched_rank", "node-a", env("PMIX_NAMESPACE").value_or(""), 1, 1, 0};
  whoami.rank = std::stoi(env("PMIX_RANK").value_or("0"));
  whoami.announced_size = whoami.local_size = std::stoi(env("OMPI_COMM_WORLD_SIZE").value_or("1"));

  StageBoard board{Seconds{std::atof(arguments[1])}};
  board.enter(Stage::vote);
  const Watchdog watchdog{board, whoami, [](const SilenceReport&) { write_all(STDOUT_FILENO, "published\n"); }};
  std::string stage;
  while (stage.empty()) stage = own_stage(whoami.job);
  write_all(STDOUT_FILENO, "up " + stage + "\n");
  ::sleep(60);
  return 77;
}
