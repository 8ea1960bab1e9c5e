// SPDX-License-Identifier: Apache-2.0
#include "joining.h"

#include <fmt/format.h>

#include "shakedown/base/error.h"
#include "shakedown/comm/agreement.h"

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
