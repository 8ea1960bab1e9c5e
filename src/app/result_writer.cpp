// SPDX-License-Identifier: Apache-2.0
#include "shakedown/app/result_writer.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>

#include "shakedown/app/stream_out.h"

namespace shakedown {
namespace {

/// Waits for a flag of the other thread, but never for ever: it may be stuck in a write.
bool wait_until(const std::atomic<bool>& flag, bool wanted, Seconds patience) {
  for (Seconds waited{0}; waited < patience; waited += Seconds{0.001}) {
    if (flag.load() == wanted) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return flag.load() == wanted;
}

}  // namespace

void ResultWriter::print(std::string_view text, Seconds patience) {
  if (write_all(targets_.stdout_fd, text, patience)) return;
  stdout_errno_ = errno;
}

void ResultWriter::write_files(const Snapshot& snapshot, const Ending& ending, bool last) {
  if (targets_.json) targets_.json->write(snapshot.json(ending), last);
  if (targets_.text) targets_.text->write(snapshot.text(ending), last);
}

void ResultWriter::publish(std::shared_ptr<const Snapshot> snapshot, Seconds so_far) {
  if (targets_.stdout_fd < 0) return;
  newest_ = snapshot;
  if (!targets_.json_on_stdout) {
    const std::string table = snapshot->table();
    printing_ = true;
    if (!finishing_ && table.size() > printed_) {
      print(std::string_view(table).substr(printed_), Seconds{3600});
      printed_ = table.size();
    }
    printing_ = false;
  }
  if (!finishing_) write_files(*snapshot, {.complete = false, .reason = "", .duration = so_far}, false);
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
    if (targets_.json_on_stdout)
      print(snapshot->json(ending), patience);
    else if (const std::string text = snapshot->text(ending); text.size() > printed_)
      print(std::string_view(text).substr(printed_), patience);
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
