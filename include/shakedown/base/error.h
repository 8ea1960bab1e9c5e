// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include "shakedown/base/exit_code.h"

namespace shakedown {

/// Where an error was raised; std::source_location that clang 14 can read too.
struct Site {
  const char* file;
  int line;
  static constexpr Site here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) { return {file, line}; }
};

/// A run that cannot go on. The text says what we were doing, what happened, and what to try.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& what, Site at = Site::here()) : std::runtime_error(what), at_(at) {}
  [[nodiscard]] Site where() const { return at_; }
  /// The status that the process ends with when nobody handles this error.
  [[nodiscard]] virtual ExitCode exit_code() const { return ExitCode::failed; }

 private:
  Site at_;
};

/// The caller asked for something that can't be: a bad value, ranks that don't fit, a file that can't be written.
class UsageError : public Error {
 public:
  using Error::Error;
  [[nodiscard]] ExitCode exit_code() const override { return ExitCode::usage; }
};

/// The asked backend, device or library is not on this machine.
class Unavailable : public Error {
 public:
  using Error::Error;
  [[nodiscard]] ExitCode exit_code() const override { return ExitCode::unavailable; }
};

/// Somebody did not answer within the deadline.
class DeadlineError : public Error {
 public:
  using Error::Error;
  [[nodiscard]] ExitCode exit_code() const override { return ExitCode::deadline; }
};

}  // namespace shakedown
