// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/nccl_start.h"

#include <fmt/format.h>

#include "backends/cuda/in_time.h"
#include "shakedown/base/error.h"
#include "shakedown/comm/agreement.h"

namespace shakedown {
namespace {

/// Lets the watchdog wait a little longer than the start's own deadline, which knows more to say.
class LaterWatchdog {
 public:
  explicit LaterWatchdog(StageBoard& board) : board_(board), limit_(board.view().limit) {
    board_.allow_at_least(limit_ + reason_grace);
  }
  LaterWatchdog(const LaterWatchdog&) = delete;
  LaterWatchdog& operator=(const LaterWatchdog&) = delete;
  ~LaterWatchdog() { board_.set_limit(limit_); }
  [[nodiscard]] Seconds limit() const { return limit_; }

 private:
  StageBoard& board_;
  Seconds limit_;
};

std::string share_id(Session& session, const std::string& who, const std::function<std::string()>& make_id) {
  std::string id;
  agree(session, who, [&] {
    if (session.rank() == 0) id = make_id();
  });
  return session.broadcast(id);
}

std::string late_text(Seconds limit, int ranks) {
  return fmt::format(
      "create the NCCL communicator of {} ranks: not done after {} s (--timeout), though every rank has come this far: "
      "the ranks "
      "cannot reach each other; NCCL_DEBUG=INFO shows what NCCL tries, NCCL_SOCKET_IFNAME picks the network interface "
      "that all "
      "nodes share (=eth0), and no firewall may block TCP between the nodes",
      ranks, limit.count());
}

}  // namespace

void start_together(Session& session, StageBoard& board, const std::string& who, const JoinCalls& calls) {
  board.enter(Stage::communicator);
  const std::string id = share_id(session, who, calls.make_id);
  session.barrier();  // all deadlines run from here
  const LaterWatchdog watchdog(board);
  board.beat();
  bool joined = false;
  agree(session, who, [&] {
    joined = ends_in_time(watchdog.limit(), [join = calls.join, id] { join(id); });
    board.enter(Stage::vote);
    if (!joined) board.set_limit(reason_grace);
  });
  // Only now: where a rank has failed, that is the reason, and the others' silence its effect.
  agree(session, who, [&] {
    if (!joined) throw DeadlineError(late_text(watchdog.limit(), session.size()));
  });
}

}  // namespace shakedown
