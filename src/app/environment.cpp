// SPDX-License-Identifier: Apache-2.0
#include "shakedown/app/environment.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <ctime>
#include <string_view>

namespace shakedown {
namespace {

using namespace std::string_view_literals;

// What decides how NCCL, MPI, the fabrics below them and the launcher behave.
constexpr std::array reportable_prefixes{"NCCL_"sv,
                                         "UCX_"sv,
                                         "UCC_"sv,
                                         "OMPI_MCA_"sv,
                                         "PMIX_MCA_"sv,
                                         "PRTE_MCA_"sv,
                                         "CUDA_"sv,
                                         "NVIDIA_TF32_OVERRIDE"sv,
                                         "NVIDIA_VISIBLE_DEVICES"sv,
                                         "SLURM_"sv,
                                         "OMP_"sv,
                                         "GOMP_"sv,
                                         "KMP_"sv,
                                         "MKL_"sv,
                                         "FI_"sv,
                                         "IBV_"sv,
                                         "MLX5_"sv,
                                         "PSM2_"sv,
                                         "SHARP_"sv,
                                         "HCOLL_"sv,
                                         "GLOO_"sv,
                                         "TORCH_NCCL_"sv,
                                         "SHAKEDOWN_"sv};
constexpr std::array reportable_names{"LD_LIBRARY_PATH"sv, "LD_PRELOAD"sv, "WORLD_SIZE"sv, "PMI_SIZE"sv};
constexpr std::array secret_words{"JWT"sv, "TOKEN"sv, "SECRET"sv, "PASS"sv, "CRED"sv, "KEY"sv};

bool may_hold_secret(std::string_view name) {
  std::string upper{name};
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return std::any_of(secret_words.begin(), secret_words.end(),
                     [&](std::string_view word) { return upper.find(word) != std::string::npos; });
}

/// What mpirun tells its ranks for its own ends; nobody chose it, and it would bury what somebody did choose.
constexpr std::array launcher_prefixes{"OMPI_MCA_orte_"sv,
                                       "OMPI_MCA_ess"sv,
                                       "OMPI_MCA_pmix"sv,
                                       "OMPI_MCA_shmem_RUNTIME_"sv,
                                       "OMPI_MCA_initial_wdir"sv,
                                       "OMPI_MCA_mpi_oversubscribe"sv,
                                       "OMPI_MCA_rmaps_base_oversubscribe"sv,
                                       "OMPI_MCA_hwloc_base_binding_policy"sv,
                                       "PMIX_MCA_mca_base_component_show_load_errors"sv,
                                       "PMIX_MCA_psec"sv,
                                       "SHAKEDOWN_TERMINAL"sv,
                                       "PSM2_DEVICES"sv};

bool is_reportable(std::string_view name) {
  const auto starts = [&](std::string_view prefix) { return name.substr(0, prefix.size()) == prefix; };
  if (may_hold_secret(name) || std::any_of(launcher_prefixes.begin(), launcher_prefixes.end(), starts)) return false;
  return std::find(reportable_names.begin(), reportable_names.end(), name) != reportable_names.end() ||
         std::any_of(reportable_prefixes.begin(), reportable_prefixes.end(), starts);
}

NamedValues split(const char* const* environment) {
  NamedValues variables;
  for (; environment != nullptr && *environment != nullptr; ++environment) {
    const std::string_view entry{*environment};
    const auto equals = entry.find('=');
    if (equals == std::string_view::npos || equals == 0) continue;
    variables.emplace_back(entry.substr(0, equals), entry.substr(equals + 1));
  }
  std::sort(variables.begin(), variables.end());
  return variables;
}

}  // namespace

NamedValues reportable_environment(const char* const* environment) {
  NamedValues variables = split(environment);
  variables.erase(std::remove_if(variables.begin(), variables.end(),
                                 [](const auto& variable) { return !is_reportable(variable.first); }),
                  variables.end());
  return variables;
}

std::vector<std::string> environment_names(const char* const* environment) {
  std::vector<std::string> names;
  for (const auto& [name, value] : split(environment)) names.push_back(name);
  return names;
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  ::gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text.data();
}

}  // namespace shakedown
