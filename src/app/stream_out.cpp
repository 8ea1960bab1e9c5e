// SPDX-License-Identifier: Apache-2.0
#include "shakedown/app/stream_out.h"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>

namespace shakedown {
namespace {

// PIPE_BUF: once poll reports room, a pipe takes that much without blocking, and other processes' lines don't mix into
// it.
constexpr std::size_t piece_size = 4096;

using Deadline = std::chrono::steady_clock::time_point;

bool wait_for_room(int fd, Deadline deadline) {
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd entry{fd, POLLOUT, 0};
    const int ready = ::poll(&entry, 1, static_cast<int>(std::clamp<long long>(left.count(), 0, 1'000'000)));
    if (ready > 0) return true;  // an error condition, too: write() tells which
    if (ready == 0) {
      errno = ETIMEDOUT;
      return false;
    }
    if (errno != EINTR) return false;
  }
}

}  // namespace

void ignore_write_signals() {
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGXFSZ, SIG_IGN);
}

bool write_all(int fd, std::string_view text, Seconds patience) {
  return write_some(fd, text, patience) == text.size();
}

std::size_t write_some(int fd, std::string_view text, Seconds patience) {
  const std::size_t size = text.size();
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(patience);
  while (!text.empty()) {
    if (!wait_for_room(fd, deadline)) break;
    const ssize_t written = ::write(fd, text.data(), std::min(text.size(), piece_size));
    if (written > 0) {
      text.remove_prefix(static_cast<std::size_t>(written));
    } else if (written == 0) {
      errno = EIO;
      break;
    } else if (errno != EINTR && errno != EAGAIN) {
      break;
    }
  }
  return size - text.size();
}

}  // namespace shakedown
