// SPDX-License-Identifier: Apache-2.0
#include "shakedown/app/standard_streams.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "shakedown/base/error.h"

namespace shakedown {

void open_standard_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(fd, F_GETFD) >= 0) continue;
    // The lowest free number is this one. What is written to a closed stdout must fail, not vanish.
    const int opened = open("/dev/null", fd == STDOUT_FILENO ? O_RDONLY : O_RDWR);
    if (opened > STDERR_FILENO) close(opened);
  }
}

int claim_stdout() {
  const int result = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (result < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    throw Error(std::string("keep stdout for the result: ") + std::strerror(errno));
  return result;
}

}  // namespace shakedown
