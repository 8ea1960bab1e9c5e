// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shakedown {

/// Opens /dev/null in place of a standard descriptor that is closed (cron, `<&-`), so that no result file becomes
/// number 1 or 2.
/// Writing to a stdout that was closed goes on being an error.
void open_standard_streams();

/// A descriptor of stdout for the result alone. What anything else prints to stdout from now on (NCCL_DEBUG=INFO, MPI's
/// verbose components) goes to stderr, so that it can't stand in the middle of a table or a JSON document.
int claim_stdout();

}  // namespace shakedown
