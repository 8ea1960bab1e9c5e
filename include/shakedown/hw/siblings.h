// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace shakedown {

/// A process of the same job on this host, as /proc shows it.
struct Sibling {
  int pid{};
  std::optional<int> rank;        ///< PMIX_RANK
  std::optional<int> local_rank;  ///< OMPI_COMM_WORLD_LOCAL_RANK
  std::string name;               ///< the program
  char state{'?'};                ///< /proc/PID/stat: R S D T t Z ...
  std::string stage;              ///< of its stage thread ("mpi_init"), empty when it has none yet
};

/// The name that the stage thread of a process wears, so that siblings and `ps -L` can read it: "sd:" and the code.
std::string stage_thread_name(const std::string& stage_code);

/// Every process in /proc whose environment holds PMIX_NAMESPACE=`job`; this one too. Unreadable ones are passed over.
std::vector<Sibling> find_siblings(const std::string& job, const std::filesystem::path& proc = "/proc");

}  // namespace shakedown
