// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>

#include "shakedown/base/error.h"

namespace shakedown {

/// Runs the body of main; an exception becomes one message on stderr and its exit code.
template <class Body>
int guard(std::string_view program, Body body) {
  const auto tell = [&](const std::exception& error) {
    std::fprintf(stderr, "%.*s: %s\n", static_cast<int>(program.size()), program.data(), error.what());
  };
  try {
    return static_cast<int>(body());
  } catch (const Error& error) {
    tell(error);
    return static_cast<int>(error.exit_code());
  } catch (const std::exception& error) {
    tell(error);
    return static_cast<int>(ExitCode::failed);
  }
}

}  // namespace shakedown
