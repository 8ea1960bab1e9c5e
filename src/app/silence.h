// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shakedown/app/watchdog.h"
#include "shakedown/base/stage_board.h"
#include "shakedown/hw/siblings.h"

namespace shakedown {

/// What one process has seen of its job on its host.
struct LocalView {
  int self_pid{};
  std::vector<Sibling> now;
  std::vector<Sibling> before;  ///< all that was ever seen
};

enum class Condition {
  stopped,
  gone,
  never_started,
  other_program,
  behind,
  waiting,  ///< like us
  left,     ///< its own deadline had passed, so it has told what it saw
};

/// One rank of this host, as far as it could be seen.
struct LocalRank {
  std::optional<int> rank;
  std::optional<int> local_rank;
  int pid{};  ///< 0 when it never started
  std::string program;
  std::string stage;
  StageMark mark{StageMark::waiting};
  Condition condition{Condition::waiting};
  bool self{false};
};

/// Every rank that this host should have, in order of rank, with what is wrong with it. None when this process does not
/// see even itself.
std::vector<LocalRank> judge_local_ranks(const Whoami& whoami, const LocalView& view);

/// What to say when `at` was silent for its limit.
SilenceReport describe_silence(const Whoami& whoami, const StageBoard::View& at, const LocalView& view);

/// Only who is gone or stopped: where the ranks are is no sign of trouble while they still move.
SilenceReport describe_losses(const Whoami& whoami, const LocalView& view);

/// Whether this process is the one of its host that tells. `last_chance`: it is about to leave, and nobody has told
/// yet.
bool is_speaker(const Whoami& whoami, const LocalView& view, bool last_chance);

}  // namespace shakedown
