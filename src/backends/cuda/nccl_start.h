// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "shakedown/base/stage_board.h"
#include "shakedown/base/units.h"
#include "shakedown/comm/session.h"

namespace shakedown {

/// What the start of a communicator needs from its library, as functions, so that its protocol can be tested without
/// one.
struct JoinCalls {
  std::function<std::string()> make_id;             ///< on rank 0 only; throws Error
  std::function<void(const std::string& id)> join;  ///< on every rank; may hang; owns all that it touches
};

/// Starts a communicator on all ranks or on none: rank 0's id goes to every rank, all join together, and all agree on
/// how it went.
///
/// Throws AgreedError on every rank with the text of the first rank that failed; where none failed but a join does not
/// end within the board's limit, with ExitCode::deadline. A rank that fails early waits for the late ones, so that its
/// reason is heard.
void start_together(Session& session, StageBoard& board, const std::string& who, const JoinCalls& calls);

/// How long a rank whose deadline has passed waits for the others' reasons, before the watchdog ends the process.
inline constexpr Seconds reason_grace{5};

}  // namespace shakedown
