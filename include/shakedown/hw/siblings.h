// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace shakedown {

/// What a stage thread says of itself, in the third character of its name.
enum class StageMark : char {
  waiting = ':',  ///< within its limit
  fired = '!',    ///< its deadline has passed
  spoken = '#',   ///< its deadline has passed, and it has told so on stderr
};

/// A process of the same job on this host, as /proc shows it.
struct Sibling {
  int pid{};
  std::optional<int> rank;        ///< PMIX_RANK
  std::optional<int> local_rank;  ///< OMPI_COMM_WORLD_LOCAL_RANK, or else SLURM_LOCALID
  std::string name;               ///< the program
  char state{'?'};                ///< /proc/PID/stat: R S D T t Z ...
  std::string stage;              ///< of its stage thread ("mpi_init"), empty when it has none yet
  StageMark mark{StageMark::waiting};
};

/// The name that the stage thread of a process wears, so that siblings and `ps -L` can read it: "sd", the mark and the
/// code; at most 15 characters, as the kernel keeps.
std::string stage_thread_name(const std::string& stage_code, StageMark mark = StageMark::waiting);

/// Every process in /proc whose environment holds PMIX_NAMESPACE=`job`, in order of pid; this one too. Unreadable ones
/// are passed over, and so are zombies, whose environment is gone. None when `job` is empty.
std::vector<Sibling> find_siblings(const std::string& job, const std::filesystem::path& proc = "/proc");

}  // namespace shakedown
