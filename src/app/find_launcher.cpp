// SPDX-License-Identifier: Apache-2.0
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <string_view>
#include <utility>

#include "child_process.h"
#include "shakedown/app/relaunch.h"
#include "shakedown/base/error.h"

namespace shakedown {
namespace {

constexpr Seconds patience_with_version{5};
constexpr const char* remedy =
    "on Debian and Ubuntu: apt-get install openmpi-bin; on a cluster: module load openmpi; or start the ranks yourself "
    "with Open MPI's "
    "mpirun or srun --mpi=pmix";

std::vector<std::string> all_in_path(const std::string& name, const EnvLookup& env) {
  const std::string path = env("PATH").value_or("/usr/local/bin:/usr/bin:/bin");
  std::vector<std::string> found;
  for (std::size_t start = 0; start <= path.size();) {
    const std::size_t colon = std::min(path.find(':', start), path.size());
    const std::string directory = colon > start ? path.substr(start, colon - start) : ".";
    const std::string candidate = (std::filesystem::path{directory} / name).string();
    struct stat status {};
    if (::stat(candidate.c_str(), &status) == 0 && S_ISREG(status.st_mode) && ::access(candidate.c_str(), X_OK) == 0) {
      found.push_back(candidate);
    }
    start = colon + 1;
  }
  return found;
}

std::string ask_whose(const std::string& launcher) {
  try {
    return name_mpi(read_output_of({launcher, "--version"}, patience_with_version));
  } catch (const Error& error) {
    return std::string{"a program that does not run ("} + error.what() + ")";
  }
}

}  // namespace

std::string name_mpi(const std::string& version_text) {
  static constexpr std::array<std::pair<std::string_view, const char*>, 7> signs{{
      {"(Open MPI)", "Open MPI"},
      {"(OpenRTE)", "Open MPI"},
      {"Spectrum MPI", "IBM Spectrum MPI"},
      {"Intel(R) MPI", "Intel MPI"},
      {"MVAPICH", "MVAPICH"},
      {"HYDRA", "MPICH or MVAPICH (Hydra)"},
      {"mpich", "MPICH"},
  }};
  for (const auto& [sign, name] : signs) {
    if (version_text.find(sign) != std::string::npos) return name;
  }
  const std::string first_line = version_text.substr(0, version_text.find('\n'));
  return first_line.empty() ? "an MPI that does not tell its version"
                            : "an unknown MPI (\"" + first_line.substr(0, 80) + "\")";
}

std::string find_open_mpi_launcher(const EnvLookup& env) {
  const auto launchers = all_in_path("mpirun", env);
  std::string other;
  if (!launchers.empty()) {  // only the first: what the user's shell would take
    const std::string whose = ask_whose(launchers.front());
    if (whose == "Open MPI") return launchers.front();
    other = launchers.front() + " is " + whose;
  }
  for (const std::string& launcher : all_in_path("mpirun.openmpi", env)) {  // Debian's name beside another MPI's mpirun
    if (ask_whose(launcher) == "Open MPI") return launcher;
  }
  if (!other.empty())
    throw Unavailable("starting the ranks: " + other + ", and Open MPI's mpirun is needed; " + remedy);
  throw Unavailable(std::string{"starting the ranks: there is no mpirun in PATH; "} + remedy);
}

}  // namespace shakedown
