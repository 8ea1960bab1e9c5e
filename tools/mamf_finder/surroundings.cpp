// SPDX-License-Identifier: Apache-2.0
#include "surroundings.h"

#include <fmt/format.h>
#include <unistd.h>

#include <map>

#include "facts.h"
#include "shakedown/app/environment.h"
#include "shakedown/hw/host.h"

namespace shakedown {
namespace {

/// GPUs that several ranks hold, in words; allowed, but they share its time.
std::vector<std::string> describe_sharing(const std::vector<RankFacts>& ranks) {
  std::map<std::string, std::vector<int>> holders;
  std::vector<std::string> lines;
  for (const RankFacts& rank : ranks)
    if (rank.info.device) holders[rank.info.device->uuid].push_back(rank.info.rank);
  for (const auto& [uuid, numbers] : holders)
    if (numbers.size() > 1)
      lines.push_back(
          fmt::format("ranks {} share one GPU ({}), so each has a part of its time", fmt::join(numbers, ", "), uuid));
  return lines;
}

}  // namespace

RunContext gather_context(Session& session, const std::vector<EngineInfo>& own, NamedValues versions) {
  const EngineInfo& first = own.front();
  RankFacts mine{.info = {.rank = session.rank(),
                          .local_rank = session.local_rank(),
                          .host = host_name(),
                          .pid = getpid(),
                          .device = first.device},
                 .boot_id = boot_id(),
                 .versions = {{"chip", first.chip}, {"matrix_library", first.library}},
                 .environment = reportable_environment(environ)};
  mine.versions.insert(mine.versions.end(), versions.begin(), versions.end());
  const std::vector<RankFacts> ranks = gather_facts(session, mine);
  RunContext context;
  context.versions = ranks.front().versions;
  context.environment = ranks.front().environment;
  context.notices = find_differences(ranks);
  for (const RankFacts& rank : ranks) context.ranks.push_back(rank.info);
  // Each further device of this process has a line of its own.
  for (std::size_t i = 1; i < own.size(); ++i) {
    context.ranks.push_back(mine.info);
    context.ranks.back().device = own[i].device;
  }
  for (const std::string& notice : first.notices) context.notices.push_back(notice);
  for (const std::string& line : describe_sharing(ranks)) context.notices.push_back(line);
  return context;
}

}  // namespace shakedown
