// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "report/shared_sections.h"
#include "report/words.h"

namespace shakedown {
namespace {

/// The ranks of one host, and the accelerators that they hold.
struct HostGroup {
  std::string host;
  std::vector<const RankInfo*> ranks;
};

/// In the order of the hosts' first ranks.
std::vector<HostGroup> group_by_host(const std::vector<RankInfo>& ranks) {
  std::vector<HostGroup> groups;
  for (const RankInfo& rank : ranks) {
    auto group =
        std::find_if(groups.begin(), groups.end(), [&](const HostGroup& other) { return other.host == rank.host; });
    if (group == groups.end()) group = groups.insert(groups.end(), HostGroup{rank.host, {}});
    group->ranks.push_back(&rank);
  }
  return groups;
}

/// "rank 3", "ranks 0-3,6"; a rank that holds several devices counts once.
std::string rank_list(const std::vector<const RankInfo*>& ranks) {
  std::set<int> numbers;
  for (const RankInfo* rank : ranks) numbers.insert(rank->rank);
  std::string list;
  for (auto first = numbers.begin(); first != numbers.end();) {
    auto last = first;
    while (std::next(last) != numbers.end() && *std::next(last) == *last + 1) ++last;
    list += list.empty() ? "" : ",";
    list += first == last ? fmt::format("{}", *first) : fmt::format("{}-{}", *first, *last);
    first = std::next(last);
  }
  return (numbers.size() == 1 ? "rank " : "ranks ") + list;
}

/// ", NVIDIA H200 x 8"; the same accelerator under several ranks counts once.
std::string device_list(const std::vector<const RankInfo*>& ranks) {
  std::string list;
  std::set<std::string> named;
  for (const RankInfo* rank : ranks) {
    if (!rank->device || !named.insert(rank->device->name).second) continue;
    std::set<std::string> identities;
    std::size_t holders = 0;
    for (const RankInfo* other : ranks) {
      if (!other->device || other->device->name != rank->device->name) continue;
      ++holders;
      const std::string& uuid = other->device->uuid;
      identities.insert(uuid.empty() ? fmt::format("of rank {}", other->rank) : uuid);
    }
    list += ", " + one_line(rank->device->name);
    list += holders == 1 ? fmt::format(" ({})", one_line(rank->device->pci)) : fmt::format(" x {}", identities.size());
    if (identities.size() < holders) list += fmt::format(" shared by {} ranks", holders);
  }
  return list;
}

/// "nccl: 2.28.3 (/usr/lib/libnccl.so.2)": a path stands beside the version that it belongs to.
std::string versions_text(const NamedValues& versions) {
  const std::string suffix = "_path";
  std::string out;
  for (const auto& [name, value] : versions) {
    const auto find = [&](const std::string& wanted) {
      return std::find_if(versions.begin(), versions.end(), [&](const auto& entry) { return entry.first == wanted; });
    };
    const bool is_path =
        name.size() > suffix.size() && name.compare(name.size() - suffix.size(), suffix.size(), suffix) == 0;
    if (is_path && find(name.substr(0, name.size() - suffix.size())) != versions.end()) continue;
    const auto path = find(name + suffix);
    out += fmt::format("- {}: {}", name, one_line(value));
    out += path == versions.end() ? "\n" : fmt::format(" ({})\n", one_line(path->second));
  }
  return out;
}

std::string command_text(const std::vector<std::string>& command) {
  std::string line;
  for (const std::string& word : command) line += (line.empty() ? "" : " ") + one_line(word);
  return line.empty() ? "" : "- command: " + line + "\n";
}

/// Container images carry variables of thousands of characters; JSON has them whole.
std::string shortened(const std::string& value) {
  constexpr std::size_t most = 200;
  return value.size() <= most ? value : value.substr(0, most) + "...";
}

}  // namespace

std::size_t host_count(const RunContext& context) {
  std::set<std::string> hosts;
  for (const RankInfo& rank : context.ranks) hosts.insert(rank.host);
  return hosts.size();
}

std::string environment_text(const RunHeader& header, const RunContext& context, TextStyle style) {
  std::string out = painted("Environment:", Ink::bold, style.color) + "\n";
  out += fmt::format("- {} {}, started {}, ran {:.1f} s\n", header.tool, header.tool_version, header.started_at,
                     header.duration.count());
  out += command_text(header.command);
  const std::string why = context.backend_reason.empty() ? "" : fmt::format(" ({})", one_line(context.backend_reason));
  out += wrapped(fmt::format("- backend: {}{}", context.backend, why), style.columns, "  ");
  out += versions_text(context.versions);
  for (const HostGroup& group : group_by_host(context.ranks)) {
    out += fmt::format("- {}: {}{}\n", one_line(group.host), rank_list(group.ranks), device_list(group.ranks));
  }
  for (const std::string& notice : context.notices)
    out += wrapped("- notice: " + one_line(notice), style.columns, "  ");
  for (const auto& [name, value] : context.environment)
    out += fmt::format("- {}={}\n", name, shortened(one_line(value)));
  if (!header.notes.empty()) out += wrapped("- notes: " + one_line(header.notes), style.columns, "  ");
  return out;
}

}  // namespace shakedown
