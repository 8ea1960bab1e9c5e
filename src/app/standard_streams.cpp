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
  int fd = 0;
  do {
    fd = open("/dev/null", O_RDWR);
  } while (fd >= 0 && fd <= STDERR_FILENO);
  if (fd > STDERR_FILENO) close(fd);
}

int claim_stdout() {
  const int result = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (result < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    throw Error(std::string("keep stdout for the result: ") + std::strerror(errno));
  return result;
}

}  // namespace shakedown
