// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "shakedown/app/relaunch.h"
#include "shakedown/base/error.h"

namespace shakedown {
namespace {

using namespace std::string_view_literals;

// OMPI_MCA_* need no -x: mpirun hands them on by itself.
constexpr std::array handed_on_names{"PATH"sv, "LD_LIBRARY_PATH"sv};
constexpr std::array handed_on_prefixes{"NCCL_"sv, "UCX_"sv, "CUDA_"sv, "NVIDIA_"sv};

bool is_handed_on(std::string_view name) {
  return std::find(handed_on_names.begin(), handed_on_names.end(), name) != handed_on_names.end() ||
         std::any_of(handed_on_prefixes.begin(), handed_on_prefixes.end(),
                     [&](std::string_view prefix) { return name.substr(0, prefix.size()) == prefix; });
}

std::vector<std::string> split_hosts(const std::string& list) {
  std::vector<std::string> hosts;
  for (std::size_t start = 0; start <= list.size();) {
    const std::size_t comma = std::min(list.find(',', start), list.size());
    if (comma > start) hosts.push_back(list.substr(start, comma - start));
    start = comma + 1;
  }
  if (hosts.empty()) throw UsageError("--hosts '" + list + "' names no host; give them as a,b or a:4,b:4");
  return hosts;
}

/// The slots that "name:slots" says; nothing for a plain name.
std::optional<int> slots_of(const std::string& host) {
  const auto colon = host.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  int slots{};
  const char* const end = host.data() + host.size();
  const auto [stop, error] = std::from_chars(host.data() + colon + 1, end, slots);
  if (error != std::errc{} || stop != end || slots < 1) {
    throw UsageError("--hosts '" + host + "': after the colon comes a number of ranks, 1 or more, e.g. " +
                     host.substr(0, colon) + ":4");
  }
  return slots;
}

/// Open MPI gives a plain name one slot, so that a,b would take two ranks. Where nobody says slots, each host gets its
/// share. The share is no more than its cores: beyond them Open MPI must know that ranks outnumber cores, so that they
/// yield instead of spinning.
std::string host_argument(const RelaunchPlan& plan, const std::string& list) {
  const std::vector<std::string> hosts = split_hosts(list);
  int said = 0;
  bool all_say = true;
  for (const std::string& host : hosts) {
    const auto slots = slots_of(host);
    all_say = all_say && slots;
    said += slots.value_or(1);
  }
  if (all_say) {
    if (said >= plan.ranks) return list;
    throw UsageError("--hosts '" + list + "' has room for " + std::to_string(said) + " ranks, and " +
                     std::to_string(plan.ranks) + " are asked; raise the numbers after the colons or lower --ranks");
  }
  const int count = static_cast<int>(hosts.size());
  const int share = plan.ranks_per_node > 0 ? plan.ranks_per_node : (plan.ranks + count - 1) / count;
  const int slots = plan.with_gpus ? share : std::max(1, std::min(share, plan.cores));
  std::string argument;
  for (const std::string& host : hosts) {
    if (!argument.empty()) argument += ',';
    argument += slots_of(host) ? host : host + ":" + std::to_string(slots);
  }
  return argument;
}

}  // namespace

std::vector<std::string> mpirun_command(const RelaunchPlan& plan, const std::string& mpirun,
                                        const std::vector<std::string>& environment_names) {
  std::vector<std::string> line{mpirun, "-np", std::to_string(plan.ranks)};
  const auto add = [&](std::initializer_list<std::string> words) { line.insert(line.end(), words); };
  if (plan.is_root) add({"--allow-run-as-root"});
  // Permits what an allocation of one task, or fewer cores than ranks, would refuse; forces nothing, and where the
  // slots suffice changes nothing.
  add({"--oversubscribe"});
  // NCCL and the NICs' threads need more than one core; and two jobs on a host would both be bound to its first cores.
  // For the CPU's own all-reduce, binding made no difference that we could measure.
  add({"--bind-to", "none"});
  if (plan.hosts) add({"--host", host_argument(plan, *plan.hosts)});
  if (plan.hostfile) add({"--hostfile", *plan.hostfile});
  if (plan.ranks_per_node > 0) add({"--map-by", "ppr:" + std::to_string(plan.ranks_per_node) + ":node"});
  for (const std::string& name : environment_names) {
    if (is_handed_on(name)) add({"-x", name});
  }
  if (!plan.terminals.empty()) add({"-x", "SHAKEDOWN_TERMINAL=" + plan.terminals});
  line.insert(line.end(), plan.command.begin(), plan.command.end());
  return line;
}

std::string quote_command(const std::vector<std::string>& command) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./@%";
  std::string line;
  for (const std::string& word : command) {
    if (!line.empty()) line += ' ';
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) {
      line += word;
      continue;
    }
    line += '\'';
    for (const char c : word) line += c == '\'' ? std::string{"'\\''"} : std::string(1, c);
    line += '\'';
  }
  return line;
}

}  // namespace shakedown
