// SPDX-License-Identifier: Apache-2.0
#include "shakedown/app/result_writer.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "shakedown/app/stream_out.h"

namespace shakedown {
namespace {

/// A row must not wait for a terminal that is stopped (Ctrl-S), nor for a pipe that nobody empties.
constexpr Seconds patience_between_rows{0.05};

/// Waits for a flag of the other thread, but never for ever: it may be stuck in a write.
bool wait_until(const std::atomic<bool>& flag, bool wanted, Seconds patience) {
  for (Seconds waited{0}; waited < patience; waited += Seconds{0.001}) {
    if (flag.load() == wanted) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return flag.load() == wanted;
}

}  // namespace

bool ResultWriter::print_rest(std::string_view text, Seconds patience) {
  if (text.size() <= printed_) return true;
  const std::size_t rest = text.size() - printed_;
  const std::size_t taken = write_some(targets_.stdout_fd, text.substr(printed_), patience);
  const int why = errno;
  printed_ += taken;
  if (taken == rest) return true;
  if (why != ETIMEDOUT) stdout_errno_ = why;
  return false;
}

void ResultWriter::write_files(const Snapshot& snapshot, const Ending& ending, bool last) {
  if (targets_.json) targets_.json->write(snapshot.json(ending), last);
  if (targets_.text) targets_.text->write(snapshot.text(ending), last);
}

void ResultWriter::write_files_now_and_then(const Snapshot& snapshot, const Ending& ending) {
  const auto start = std::chrono::steady_clock::now();
  if (start < next_files_) return;
  write_files(snapshot, ending, false);
  const auto end = std::chrono::steady_clock::now();
  next_files_ = end + 20 * (end - start);
}

void ResultWriter::publish(const std::shared_ptr<const Snapshot>& snapshot, Seconds so_far) {
  if (targets_.stdout_fd < 0) return;
  newest_ = snapshot;
  if (!targets_.json_on_stdout) {
    printing_ = true;
    if (!finishing_) print_rest(snapshot->table(), patience_between_rows);
    printing_ = false;
  }
  if (!finishing_) write_files_now_and_then(*snapshot, {.complete = false, .reason = "", .duration = so_far});
}

bool ResultWriter::finish(const Ending& ending, Seconds patience) {
  if (targets_.stdout_fd < 0) return true;
  if (finishing_.exchange(true)) {
    wait_until(finished_, true, Seconds{0.7});
    return error().empty();
  }
  wait_until(printing_, false, Seconds{0.2});
  if (const auto snapshot = newest_.load()) {
    // Files first: a reader of stdout may be slow or gone.
    write_files(*snapshot, ending, true);
    const bool printed =
        print_rest(targets_.json_on_stdout ? snapshot->json(ending) : snapshot->text(ending), patience);
    if (!printed && stdout_errno_ == 0) stdout_errno_ = ETIMEDOUT;
  }
  finished_ = true;
  return error().empty();
}

std::string ResultWriter::error() const {
  if (targets_.json && !targets_.json->error().empty()) return targets_.json->error();
  if (targets_.text && !targets_.text->error().empty()) return targets_.text->error();
  const int why = stdout_errno_;
  if (why == 0 || why == EPIPE) return {};
  return std::string("write the result to stdout: ") + std::strerror(why);
}

}  // namespace shakedown
