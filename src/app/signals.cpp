// SPDX-License-Identifier: Apache-2.0
#include "shakedown/app/signals.h"

#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <future>
#include <memory>
#include <string>
#include <system_error>

#include "shakedown/base/error.h"

namespace shakedown {
namespace {

// mpirun kills a rank 0.99 s after its SIGTERM; 0.9 s is promised, and the exit itself takes a moment.
constexpr std::chrono::milliseconds time_to_stop{850};

constexpr std::array all_stop_signals{SIGINT, SIGTERM, SIGHUP};

bool is_ignored(int number) {
  struct sigaction action {};
  return ::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

bool read_signal(int fd, StopSignal& signal) {
  signalfd_siginfo info{};
  if (::read(fd, &info, sizeof info) != static_cast<ssize_t>(sizeof info)) return false;
  signal.number = static_cast<int>(info.ssi_signo);
  const bool from_process = info.ssi_code == SI_USER || info.ssi_code == SI_QUEUE || info.ssi_code == SI_TKILL;
  signal.sender_pid = from_process ? static_cast<int>(info.ssi_pid) : 0;
  return true;
}

/// Runs the handler in a thread of its own, so that one that hangs can't keep us, and leaves.
[[noreturn]] void stop_process(const std::function<void(StopSignal)>& on_stop, StopSignal signal) {
  try {
    const auto done = std::make_shared<std::promise<void>>();
    std::future<void> finished = done->get_future();
    std::thread{[&on_stop, signal, done] {
      try {
        on_stop(signal);
      } catch (...) {  // there is nobody left to tell, and the process ends in any case
      }
      done->set_value();
    }}.detach();
    finished.wait_for(time_to_stop);
  } catch (const std::system_error&) {  // no more threads: leaving in time comes before the last words
  }
  ::_exit(128 + signal.number);
}

}  // namespace

sigset_t stop_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int number : all_stop_signals) {
    // Blocking an ignored signal would make it pending, and so undo the nohup that ignored it. SIGTERM is never ignored
    // by custom.
    if (number == SIGTERM || !is_ignored(number)) ::sigaddset(&set, number);
  }
  return set;
}

void block_stop_signals() {
  const sigset_t set = stop_signals();
  ::pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

void unblock_stop_signals() {
  const sigset_t set = stop_signals();
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
}

SignalThread::SignalThread(std::function<void(StopSignal)> on_stop) : on_stop_(std::move(on_stop)) {
  const sigset_t set = stop_signals();
  signal_fd_ = ::signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
  wake_fd_ = ::eventfd(0, EFD_CLOEXEC);
  if (signal_fd_ < 0 || wake_fd_ < 0) {
    const std::string why = std::strerror(errno);
    if (signal_fd_ >= 0) ::close(signal_fd_);
    throw Error("preparing to take stop signals: " + why + "; check the limit on open files (ulimit -n)");
  }
  thread_ = std::thread{[this] { take_signals(); }};
}

SignalThread::~SignalThread() {
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t woken = ::write(wake_fd_, &one, sizeof one);
  thread_.join();
  ::close(signal_fd_);
  ::close(wake_fd_);
}

void SignalThread::take_signals() {
  for (;;) {
    std::array<pollfd, 2> entries{pollfd{signal_fd_, POLLIN, 0}, pollfd{wake_fd_, POLLIN, 0}};
    if (::poll(entries.data(), entries.size(), -1) < 0) continue;
    StopSignal signal;
    if (entries[0].revents != 0 && read_signal(signal_fd_, signal)) stop_process(on_stop_, signal);
    if (entries[1].revents != 0) return;
  }
}

}  // namespace shakedown
