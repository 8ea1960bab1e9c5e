// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string_view>

#include "shakedown/base/units.h"

namespace shakedown {

/// Ignores SIGPIPE and SIGXFSZ, so that a reader that left and a file that may not grow are errors of write() instead
/// of a sudden death.
void ignore_write_signals();

/// Writes all of `text` with write(2), in pieces that a pipe takes at once, and waits for a slow reader for at most
/// `patience` in all. Any thread may call it: it takes no lock. False on an error, with errno telling which: EPIPE (the
/// reader left, which is no reason for a message), ETIMEDOUT, ENOSPC ...
bool write_all(int fd, std::string_view text, Seconds patience = Seconds{60});

/// The same, but tells how many bytes were taken; fewer than `text` has means an error, which errno tells.
std::size_t write_some(int fd, std::string_view text, Seconds patience);

}  // namespace shakedown
