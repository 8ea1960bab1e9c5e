// SPDX-License-Identifier: Apache-2.0
#include "joining.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "shakedown/base/error.h"
#include "shakedown/comm/agreement.h"
#include "shakedown/hw/host.h"

namespace shakedown {

void check_joined(Session& session, const LaunchEnv& launch) {
  agree(session, "", [&] {
    check_world_size(launch, session.size());
    if (launch.rank && *launch.rank != session.rank())
      throw UsageError(
          fmt::format("join the ranks: the launcher calls this process rank {}, MPI calls it rank {}; a variable is "
                      "stale: start it "
                      "with the mpirun of this Open MPI or srun --mpi=pmix",
                      *launch.rank, session.rank()));
  });
}

void check_same_backend(Session& session, bool gpu, const std::string& reason) {
  const std::array<double, 1> mine{gpu ? 1.0 : 0.0};
  const std::vector<double> all = session.all_gather(mine);
  const auto with = std::find(all.begin(), all.end(), 1.0);
  const auto without = std::find(all.begin(), all.end(), 0.0);
  if (with == all.end() || without == all.end()) return;
  const auto reasons = session.all_gather(fmt::format("{} ({})", host_name(), reason));
  const auto lacking = static_cast<std::size_t>(without - all.begin());
  throw AgreedError(
      fmt::format(
          "choose the backend: rank {} on {} has GPUs, rank {} on {} has none; give --backend cpu, or mend that host",
          with - all.begin(), reasons[static_cast<std::size_t>(with - all.begin())], lacking, reasons[lacking]),
      ExitCode::usage);
}

std::vector<std::string> arguments_of_rank_0(Session& session, const std::vector<std::string>& mine) {
  std::string joined;
  for (const std::string& argument : mine) joined += argument + '\0';
  const std::string of_rank_0 = session.broadcast(joined);
  std::vector<std::string> arguments;
  for (std::size_t from = 0; from < of_rank_0.size();) {
    arguments.emplace_back(of_rank_0.c_str() + from);
    from += arguments.back().size() + 1;
  }
  return arguments;
}

}  // namespace shakedown
