// SPDX-License-Identifier: Apache-2.0
#include "shakedown/app/relaunch.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string_view>

#include "child_process.h"
#include "relaunch_status.h"
#include "shakedown/app/signals.h"
#include "shakedown/app/stream_out.h"
#include "shakedown/base/error.h"
#include "shakedown/base/exit_code.h"

namespace shakedown {
namespace {

using std::chrono::milliseconds;
using SteadyClockTime = std::chrono::steady_clock::time_point;

// Open MPI kills its ranks at once when a second signal comes soon after the first.
constexpr std::chrono::seconds between_signals{3};
// What ssh or a daemon left behind may hold the pipe open for ever after mpirun has ended.
constexpr milliseconds for_stragglers_output{1000};
constexpr std::chrono::seconds longest_stop{6};
constexpr int between_looks_ms = 100;

/// Blocks the stop signals, and puts the mask back.
class SignalGate {
 public:
  SignalGate() {
    std::signal(SIGCHLD, SIG_DFL);  // ignored, as some parents leave it, it would take the child's status away
    const sigset_t set = stop_signals();
    ::pthread_sigmask(SIG_BLOCK, &set, &old_);
    fd_ = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    if (fd_ < 0)
      throw Error(std::string{"preparing to start mpirun: signalfd: "} + std::strerror(errno) + "; check ulimit -n");
  }
  SignalGate(const SignalGate&) = delete;
  SignalGate& operator=(const SignalGate&) = delete;
  ~SignalGate() {
    ::close(fd_);
    ::pthread_sigmask(SIG_SETMASK, &old_, nullptr);
  }
  [[nodiscard]] int fd() const { return fd_; }
  /// The next signal that waits; 0 when none does.
  [[nodiscard]] int take() const {
    signalfd_siginfo info{};
    return ::read(fd_, &info, sizeof info) == static_cast<ssize_t>(sizeof info) ? static_cast<int>(info.ssi_signo) : 0;
  }

 private:
  sigset_t old_{};
  int fd_{-1};
};

/// Wakes poll when a child ends. Not SIGCHLD: a library's thread that does not block it (libcuda starts one) would
/// swallow it.
class ChildEnd {
 public:
  explicit ChildEnd(int pid) : pid_(pid), fd_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {}
  ChildEnd(const ChildEnd&) = delete;
  ChildEnd& operator=(const ChildEnd&) = delete;
  ~ChildEnd() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] pollfd wish() const { return {status_ ? -1 : fd_, POLLIN, 0}; }
  /// Milliseconds after which poll must look again; -1 for never.
  [[nodiscard]] int patience() const { return status_ || fd_ < 0 ? between_looks_ms : -1; }
  /// What waitpid said, once the child has ended.
  const std::optional<int>& look() {
    int ended{};
    if (!status_ && ::waitpid(pid_, &ended, WNOHANG) == pid_ && (WIFEXITED(ended) || WIFSIGNALED(ended)))
      status_ = ended;
    return status_;
  }

 private:
  int pid_;
  int fd_;  ///< -1 where the kernel has no pidfd (before 5.3); then poll wakes by itself
  std::optional<int> status_;
};

/// Moves bytes from mpirun to our stdout without ever waiting in read or write; after a write error it only drains.
class OutputPump {
 public:
  explicit OutputPump(int source) : source_(source) {}
  OutputPump(const OutputPump&) = delete;
  OutputPump& operator=(const OutputPump&) = delete;
  ~OutputPump() { ::close(source_); }

  [[nodiscard]] bool at_end() const { return ended_ && pending_.empty(); }
  [[nodiscard]] bool is_blocked() const { return !pending_.empty(); }
  [[nodiscard]] int error() const { return error_; }
  [[nodiscard]] pollfd wish() const {
    if (!pending_.empty()) return {STDOUT_FILENO, POLLOUT, 0};
    return {ended_ ? -1 : source_, POLLIN, 0};
  }
  void move() {
    if (pending_.empty()) {
      const ssize_t got = ::read(source_, buffer_.data(), buffer_.size());
      if (got < 0 && errno == EINTR) return;
      ended_ = got <= 0;
      if (got > 0 && error_ == 0) pending_ = {buffer_.data(), static_cast<std::size_t>(got)};
      return;
    }
    const ssize_t put = ::write(STDOUT_FILENO, pending_.data(), pending_.size());
    if (put >= 0) {
      pending_.remove_prefix(static_cast<std::size_t>(put));
    } else if (errno != EINTR && errno != EAGAIN) {
      error_ = errno;
      pending_ = {};
    }
  }

 private:
  int source_;
  std::array<char, 4096> buffer_{};  // PIPE_BUF: a pipe that has room takes it at once
  std::string_view pending_;
  bool ended_{false};
  int error_{0};
};

/// Hands stop signals on to mpirun, no more than one in three seconds.
class SignalRelay {
 public:
  explicit SignalRelay(int pid) : pid_(pid) {}
  void take(int number) {
    if (first_ == 0) first_ = number;
    const auto now = std::chrono::steady_clock::now();
    if (last_ && now - *last_ < between_signals) return;
    last_ = now;
    if (!first_at_) first_at_ = now;
    ::kill(pid_, number);
    ::kill(pid_, SIGCONT);  // a stopped mpirun would keep the signal for later
  }
  [[nodiscard]] int first() const { return first_; }
  /// mpirun ends its ranks within two seconds of a signal; one that does not is stuck, and ends with its ranks when it
  /// is killed.
  void insist() const {
    if (first_at_ && std::chrono::steady_clock::now() - *first_at_ > longest_stop) ::kill(-pid_, SIGKILL);
  }

 private:
  int pid_;
  int first_{0};
  std::optional<SteadyClockTime> last_;
  std::optional<SteadyClockTime> first_at_;
};

/// Until mpirun has ended and its output is on its way; returns what waitpid said.
int wait_for(const Child& child, const SignalGate& gate, OutputPump& pump, SignalRelay& relay) {
  ChildEnd end(child.pid);
  SteadyClockTime last_moved = std::chrono::steady_clock::now();
  for (;;) {
    const bool had_ended = end.look().has_value();
    const auto now = std::chrono::steady_clock::now();
    if (had_ended &&
        (pump.at_end() || (now - last_moved > for_stragglers_output && (!pump.is_blocked() || relay.first() != 0)))) {
      return *end.look();
    }
    std::array<pollfd, 3> entries{pollfd{gate.fd(), POLLIN, 0}, pump.wish(), end.wish()};
    if (relay.first() != 0 && !had_ended) relay.insist();
    if (::poll(entries.data(), entries.size(), relay.first() != 0 ? between_looks_ms : end.patience()) < 0) continue;
    if (entries[1].revents != 0) {
      pump.move();
      last_moved = std::chrono::steady_clock::now();
    }
    while (const int number = gate.take()) relay.take(number);
    if (!had_ended && end.look()) last_moved = std::chrono::steady_clock::now();
  }
}

void say(const std::string& message) {
  const std::string line = std::string{::program_invocation_short_name} + ": " + message + "\n";
  write_all(STDERR_FILENO, line, Seconds{1});
}

}  // namespace

RelaunchStatus judge_mpirun_status(int wait_status, int stop_signal) {
  constexpr int failed = static_cast<int>(ExitCode::failed);
  if (stop_signal != 0) return {128 + stop_signal, {}};
  if (WIFSIGNALED(wait_status)) {
    return {failed,
            "mpirun itself was ended by signal " + std::to_string(WTERMSIG(wait_status)) + "; its ranks end with it"};
  }
  const int code = WEXITSTATUS(wait_status);
  if (code <= static_cast<int>(ExitCode::deadline)) return {code, {}};
  for (const ExitCode stopped : {ExitCode::hangup, ExitCode::interrupted, ExitCode::terminated}) {
    if (code == static_cast<int>(stopped)) return {code, {}};
  }
  const std::string status = "mpirun ended with status " + std::to_string(code);
  if (code > 128 && code < 128 + 65) {
    return {failed, status + ": a rank was ended by signal " + std::to_string(code - 128) +
                        (code == 137 ? " (killed, by hand or because memory ran out: see dmesg)" : "")};
  }
  return {failed, status + ": it could not start or keep the ranks; its message is above"};
}

int run_and_wait(const std::vector<std::string>& command) {
  ignore_write_signals();
  const SignalGate gate;
  const Child child = start_child(command, false);
  OutputPump pump{child.output};
  SignalRelay relay{child.pid};
  const int ended = wait_for(child, gate, pump, relay);
  const RelaunchStatus status = judge_mpirun_status(ended, relay.first());
  if (!status.message.empty()) say(status.message);
  if (pump.error() == 0 || pump.error() == EPIPE) return status.code;  // a reader that left has seen enough
  say(std::string{"cannot write to standard output: "} + std::strerror(pump.error()) +
      "; what follows is lost, a --json or --output-file is not");
  return relay.first() != 0 ? status.code : static_cast<int>(ExitCode::failed);
}

}  // namespace shakedown
