// SPDX-License-Identifier: Apache-2.0
#include "child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <utility>

#include "shakedown/app/signals.h"
#include "shakedown/base/error.h"

namespace shakedown {
namespace {

struct Pipe {
  std::array<int, 2> ends{-1, -1};
  Pipe() {
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
      throw Error("starting a program: no pipe: " + std::string{std::strerror(errno)} + "; check ulimit -n");
    }
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    for (const int end : ends) {
      if (end >= 0) ::close(end);
    }
  }
  int release_reader() { return std::exchange(ends[0], -1); }
  void close_writer() { ::close(std::exchange(ends[1], -1)); }
};

/// In the child, between fork and exec: only calls that are safe there.
[[noreturn]] void become(const char* program, char* const* arguments, const Pipe& output, const Pipe& failure,
                         bool with_stderr, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(127);  // it died before we could ask for the signal
  const int nothing = ::open("/dev/null", O_RDONLY);
  ::dup2(nothing, STDIN_FILENO);
  ::dup2(output.ends[1], STDOUT_FILENO);
  if (with_stderr) ::dup2(output.ends[1], STDERR_FILENO);
  ::signal(SIGPIPE, SIG_DFL);  // what we ignore would stay ignored in the program
  ::signal(SIGXFSZ, SIG_DFL);
  ::signal(SIGTTOU, SIG_IGN);  // in a background group, a terminal with `stty tostop` would stop it when it writes
  sigset_t mask;
  ::sigemptyset(&mask);
  ::sigprocmask(SIG_SETMASK, &mask, nullptr);
  ::execv(program, arguments);
  const int why = errno;
  [[maybe_unused]] const ssize_t told = ::write(failure.ends[1], &why, sizeof why);
  ::_exit(127);
}

}  // namespace

Child start_child(const std::vector<std::string>& command, bool with_stderr) {
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  // By its name alone, as a shell would start it: Open MPI takes a path in argv[0] for --prefix, and would put its own
  // libraries before those of LD_LIBRARY_PATH.
  std::string name = command[0].substr(command[0].rfind('/') + 1);
  arguments[0] = name.data();
  arguments.push_back(nullptr);
  Pipe output;
  Pipe failure;
  const pid_t parent = ::getpid();
  const pid_t pid = ::fork();
  if (pid < 0) throw Error("starting " + command[0] + ": " + std::strerror(errno) + "; check ulimit -u");
  if (pid == 0) become(command[0].c_str(), arguments.data(), output, failure, with_stderr, parent);
  ::setpgid(pid, pid);  // here, too: whichever of us comes first
  output.close_writer();
  failure.close_writer();
  int why{};
  ssize_t got{};
  while ((got = ::read(failure.ends[0], &why, sizeof why)) < 0 && errno == EINTR) {
  }
  if (got == static_cast<ssize_t>(sizeof why)) {
    ::waitpid(pid, nullptr, 0);
    throw Error("starting " + command[0] + ": " + std::strerror(why) + "; check that it is a program you may run");
  }
  return {pid, output.release_reader()};
}

std::string read_output_of(const std::vector<std::string>& command, Seconds patience) {
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::milliseconds>(patience);
  const Child child = start_child(command, true);
  std::string text;
  for (;;) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - std::chrono::steady_clock::now());
    pollfd entry{child.output, POLLIN, 0};
    if (left.count() <= 0) break;
    if (::poll(&entry, 1, static_cast<int>(left.count())) <= 0) continue;
    std::array<char, 4096> buffer{};
    const ssize_t got = ::read(child.output, buffer.data(), buffer.size());
    if (got <= 0) break;
    text.append(buffer.data(), static_cast<std::size_t>(got));
  }
  ::close(child.output);
  ::kill(-child.pid, SIGKILL);
  ::waitpid(child.pid, nullptr, 0);
  return text;
}

}  // namespace shakedown
