// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "shakedown/base/units.h"

namespace shakedown {

/// Runs `work` in a thread of its own and waits for it, `limit` at most (zero: for ever). True when it has ended in
/// time; what it threw is thrown here.
///
/// This is the deadline of library calls that have none. False leaves the thread behind, still inside the call: `work`
/// must own all that it touches, and the process should end soon, without running exit handlers (_exit).
bool ends_in_time(Seconds limit, std::function<void()> work);

}  // namespace shakedown
