// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>

#include "silence.h"

namespace shakedown {
namespace {

constexpr bool is_repeated(Stage stage) { return stage >= Stage::warm_up && stage <= Stage::vote; }

std::optional<Stage> stage_of(const std::string& code) {
  for (int i = 0; i <= static_cast<int>(Stage::done); ++i) {
    if (code == code_of(static_cast<Stage>(i))) return static_cast<Stage>(i);
  }
  return std::nullopt;
}

/// How far a rank has come. The steps that are repeated for every payload are one position: none of them is ahead of
/// another.
int position_of(const LocalRank& rank) {
  const auto stage = stage_of(rank.stage);
  if (!stage) return -1;
  return static_cast<int>(is_repeated(*stage) ? Stage::warm_up : *stage);
}

/// Of several processes with one rank (a wrapper and the tool): the one that says its stage, else the tool, else the
/// first.
bool shows_more(const Sibling& a, const Sibling& b, const std::string& tool) {
  if (a.stage.empty() != b.stage.empty()) return b.stage.empty();
  return a.name == tool && b.name != tool;
}

using Processes = std::map<int, Sibling>;

/// One process a rank, by what `key` tells; those without a key are left out.
template <class Key>
Processes one_each(const std::vector<Sibling>& siblings, const std::string& tool, Key key) {
  Processes processes;
  for (const Sibling& sibling : siblings) {
    const std::optional<int> number = key(sibling);
    if (!number || sibling.state == 'Z' || sibling.state == 'X') continue;
    const auto [place, added] = processes.try_emplace(*number, sibling);
    if (!added && shows_more(sibling, place->second, tool)) place->second = sibling;
  }
  return processes;
}

LocalRank describe_process(const Sibling& sibling, const std::string& tool, int self_pid) {
  LocalRank rank;
  rank.rank = sibling.rank;
  rank.local_rank = sibling.local_rank;
  rank.pid = sibling.pid;
  rank.program = sibling.name;
  rank.stage = sibling.stage;
  rank.mark = sibling.mark;
  rank.self = sibling.pid == self_pid;
  if (rank.self) {
    rank.condition = Condition::waiting;
  } else if (sibling.state == 'T' || sibling.state == 't') {
    rank.condition = Condition::stopped;
  } else if (sibling.stage.empty() && sibling.name != tool) {
    rank.condition = Condition::other_program;
  }
  return rank;
}

/// Marks the waiting ranks that are not where most are: earlier, or in another of the repeated steps.
void mark_behind(std::vector<LocalRank>& ranks) {
  std::map<int, int> at_position;
  std::map<std::string, int> at_stage;
  int waiting = 0;
  for (const LocalRank& rank : ranks) {
    if (rank.condition != Condition::waiting) continue;
    ++waiting;
    ++at_position[position_of(rank)];
    ++at_stage[rank.stage];
  }
  int usual = -1;
  for (const auto& [position, count] : at_position) {
    if (usual < 0 || count >= at_position[usual]) usual = position;  // of equal crowds the one that has come farthest
  }
  const auto is_usual_stage = [&](const std::string& stage) { return at_stage[stage] * 2 > waiting; };
  const bool has_usual_stage =
      std::any_of(at_stage.begin(), at_stage.end(), [&](const auto& entry) { return is_usual_stage(entry.first); });
  for (LocalRank& rank : ranks) {
    if (rank.condition != Condition::waiting) continue;
    const int position = position_of(rank);
    const bool elsewhere = position == usual && has_usual_stage && !is_usual_stage(rank.stage);
    if (position < usual || elsewhere) rank.condition = Condition::behind;
  }
}

}  // namespace

std::vector<LocalRank> judge_local_ranks(const Whoami& whoami, const LocalView& view) {
  const bool sees_self = std::any_of(view.now.begin(), view.now.end(),
                                     [&](const Sibling& sibling) { return sibling.pid == view.self_pid; });
  if (!sees_self) return {};
  // With all ranks on this host we know their numbers; else only those that the launcher gave within the host.
  const bool whole_job = whoami.local_size == whoami.announced_size;
  const auto key = [whole_job](const Sibling& sibling) { return whole_job ? sibling.rank : sibling.local_rank; };
  const Processes now = one_each(view.now, whoami.tool, key);
  const Processes before = one_each(view.before, whoami.tool, key);

  std::vector<LocalRank> ranks;
  for (int number = 0; number < whoami.local_size; ++number) {
    if (const auto found = now.find(number); found != now.end()) {
      ranks.push_back(describe_process(found->second, whoami.tool, view.self_pid));
      continue;
    }
    LocalRank absent;
    (whole_job ? absent.rank : absent.local_rank) = number;
    absent.condition = Condition::never_started;
    if (const auto lost = before.find(number); lost != before.end()) {
      absent = describe_process(lost->second, whoami.tool, view.self_pid);
      absent.condition = absent.mark == StageMark::waiting ? Condition::gone : Condition::left;
    }
    ranks.push_back(absent);
  }
  mark_behind(ranks);
  return ranks;
}

}  // namespace shakedown
