// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

namespace shakedown::testing {

/// A forked copy of the test in which something is run that ends or changes the process; its stdout and stderr come
/// back.
class ForkedChild {
 public:
  explicit ForkedChild(const std::function<int()>& body) {
    std::array<int, 2> pipe{};
    if (::pipe(pipe.data()) != 0) throw std::runtime_error("no pipe");
    std::fflush(nullptr);  // else the child writes what we had not yet
    pid_ = ::fork();
    if (pid_ == 0) {
      ::dup2(pipe[1], STDOUT_FILENO);
      ::dup2(pipe[1], STDERR_FILENO);
      ::close(pipe[0]);
      ::close(pipe[1]);
      ::_exit(body());
    }
    ::close(pipe[1]);
    output_ = pipe[0];
  }
  ForkedChild(const ForkedChild&) = delete;
  ForkedChild& operator=(const ForkedChild&) = delete;
  ~ForkedChild() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      ::waitpid(pid_, nullptr, 0);
    }
    ::close(output_);
  }

  [[nodiscard]] pid_t pid() const { return pid_; }
  void signal(int number) const { ::kill(pid_, number); }

  /// Reads until `text` has come; false when the output ends before.
  bool wait_for(const std::string& text) {
    while (read_.find(text) == std::string::npos) {
      if (!read_more()) return false;
    }
    return true;
  }
  /// Reads to the end of the output, and returns all of it.
  const std::string& output() {
    while (read_more()) {
    }
    return read_;
  }
  /// The exit status, or 128 + the signal that ended it.
  int status() {
    int status{};
    ::waitpid(std::exchange(pid_, -1), &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  }

 private:
  bool read_more() {
    std::array<char, 4096> buffer{};
    ssize_t got{};
    while ((got = ::read(output_, buffer.data(), buffer.size())) < 0 && errno == EINTR) {
    }
    if (got <= 0) return false;
    read_.append(buffer.data(), static_cast<std::size_t>(got));
    return true;
  }

  pid_t pid_{-1};
  int output_{-1};
  std::string read_;
};

}  // namespace shakedown::testing
