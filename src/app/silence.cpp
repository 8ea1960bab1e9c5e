// SPDX-License-Identifier: Apache-2.0
#include "silence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace shakedown {
namespace {

constexpr std::size_t most_named = 8;

std::string name_rank(const LocalRank& rank, const std::string& host) {
  const std::string number = rank.rank         ? fmt::format("rank {}", *rank.rank)
                             : rank.local_rank ? fmt::format("local rank {}", *rank.local_rank)
                                               : std::string{"a rank"};
  return rank.pid != 0 ? fmt::format("{} (pid {}, {})", number, rank.pid, host) : fmt::format("{} ({})", number, host);
}

std::string where_is(const std::string& code) {
  for (int i = 0; i <= static_cast<int>(Stage::done); ++i) {
    const auto stage = static_cast<Stage>(i);
    if (code == code_of(stage)) return describe(stage);
  }
  return code.empty() ? "before its first step" : "in '" + code + "'";
}

std::string complain(const LocalRank& rank, const Whoami& whoami) {
  const std::string who = name_rank(rank, whoami.host);
  switch (rank.condition) {
    case Condition::stopped:
      return fmt::format("{} is stopped; continue it with kill -CONT {}", who, rank.pid);
    case Condition::gone:
      return fmt::format("{} is gone: it ended or was killed; see dmesg there (out of memory?)", who);
    case Condition::never_started:
      return fmt::format("{} never started, or ended at once", who);
    case Condition::other_program:
      return fmt::format("{} is still '{}' and has not started {}", who, rank.program, whoami.tool);
    case Condition::behind:
      return fmt::format("{} is elsewhere: {}", who, where_is(rank.stage));
    case Condition::waiting:
    case Condition::left:
      break;
  }
  return {};
}

/// The complaints about `ranks`, the gravest first; empty when all of them wait like us.
std::string complaints(std::vector<LocalRank> ranks, const Whoami& whoami) {
  ranks.erase(std::remove_if(ranks.begin(), ranks.end(),
                             [](const LocalRank& rank) { return rank.condition >= Condition::waiting; }),
              ranks.end());
  std::stable_sort(ranks.begin(), ranks.end(),
                   [](const LocalRank& a, const LocalRank& b) { return a.condition < b.condition; });
  std::string text;
  for (std::size_t i = 0; i < ranks.size() && i < most_named; ++i) {
    if (i > 0) text += "; ";
    text += complain(ranks[i], whoami);
  }
  if (ranks.size() > most_named) text += fmt::format("; and {} more", ranks.size() - most_named);
  return text;
}

std::string nobody_here(const Whoami& whoami, bool sees_siblings) {
  if (whoami.announced_size <= 1) return "no other rank takes part: the device or a library does not answer";
  if (!sees_siblings) return "the other ranks can't be seen from here";
  if (whoami.announced_size > whoami.local_size) {
    return fmt::format("all {} rank(s) of this host wait there; the culprit is on another host, or the network between",
                       whoami.local_size);
  }
  return fmt::format("all {} ranks wait there: none is missing, so what connects them is stuck", whoami.local_size);
}

const char* remedy_for(Stage stage, bool alone) {
  switch (stage) {
    case Stage::mpi_init:
    case Stage::gather_facts:
      return "name the network that joins the hosts in OMPI_MCA_oob_tcp_if_include and OMPI_MCA_btl_tcp_if_include, "
             "and let firewalls "
             "pass TCP between them";
    case Stage::open_device:
      return "nvidia-smi on each host, and dmesg for Xid errors";
    case Stage::communicator:
      return "NCCL_DEBUG=INFO to see what NCCL waits for, and NCCL_SOCKET_IFNAME to name the network that joins the "
             "hosts";
    case Stage::warm_up:
    case Stage::timed_loop:
    case Stage::data_check:
      if (alone)
        return "a longer --timeout, or a smaller size, if one call may really take that long; else nvidia-smi and "
               "dmesg, for "
               "the device";
      return "NCCL_DEBUG=INFO (GPUs), dmesg and link counters on the hosts; a longer --timeout if one call may really "
             "take that long";
    case Stage::starting:
    case Stage::allocate:
    case Stage::fill:
    case Stage::vote:
    case Stage::closing:
    case Stage::done:
      break;
  }
  return "a longer --timeout if the step is only slow";
}

}  // namespace

SilenceReport describe_silence(const Whoami& whoami, const StageBoard::View& at, const LocalView& view) {
  const std::vector<LocalRank> ranks = judge_local_ranks(whoami, view);
  const std::string culprits = complaints(ranks, whoami);
  const std::string self = whoami.rank >= 0 ? fmt::format("rank {}, {}", whoami.rank, whoami.host) : whoami.host;
  std::string text =
      fmt::format("{}: no answer for {:g} s {} ({}): {}\n", whoami.tool, std::round(at.limit.count() * 10) / 10,
                  describe(at.stage), self, culprits.empty() ? nobody_here(whoami, !ranks.empty()) : culprits);
  if (whoami.announced_size > whoami.local_size) {
    text += fmt::format("  {} of {} ranks run on other hosts and can't be seen from here\n",
                        whoami.announced_size - whoami.local_size, whoami.announced_size);
  }
  text += fmt::format("  try: {}\n", remedy_for(at.stage, whoami.announced_size <= 1));
  return {!culprits.empty(), text};
}

SilenceReport describe_losses(const Whoami& whoami, const LocalView& view) {
  std::vector<LocalRank> ranks = judge_local_ranks(whoami, view);
  ranks.erase(std::remove_if(ranks.begin(), ranks.end(),
                             [](const LocalRank& rank) {
                               return rank.condition != Condition::gone && rank.condition != Condition::stopped;
                             }),
              ranks.end());
  const std::string losses = complaints(ranks, whoami);
  return {!losses.empty(), losses.empty() ? losses : fmt::format("{}: {}\n", whoami.tool, losses)};
}

bool is_speaker(const Whoami& whoami, const LocalView& view, bool last_chance) {
  const std::vector<LocalRank> ranks = judge_local_ranks(whoami, view);
  const auto has_told = [last_chance](const LocalRank& rank) {
    if (rank.condition == Condition::left) return last_chance;
    return !rank.self && rank.condition != Condition::gone && rank.mark == StageMark::spoken;
  };
  if (std::any_of(ranks.begin(), ranks.end(), has_told)) return false;
  const auto lowest = std::find_if(ranks.begin(), ranks.end(), [](const LocalRank& rank) {
    const bool can_speak = rank.condition == Condition::waiting || rank.condition == Condition::behind;
    return rank.self || (can_speak && rank.mark == StageMark::fired);
  });
  const bool is_lowest = lowest == ranks.end() || lowest->self;  // at the end: we don't see even ourselves
  const bool culprit = !complaints(ranks, whoami).empty();
  if (culprit || last_chance || whoami.rank < 0) return is_lowest;
  return whoami.rank == 0;
}

}  // namespace shakedown
