// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <string>
#include <string_view>

#include "shakedown/base/error.h"

namespace shakedown {

/// Throws Error with MPI's own words when `status` is a failure.
inline void check_mpi(int status, std::string_view doing, Site at = Site::here()) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw Error(std::string(doing) + ": " + std::string(text, static_cast<std::size_t>(length)), at);
}

}  // namespace shakedown
