// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "options.h"
#include "shakedown/model/collective_report.h"

namespace shakedown {

/// What the backend and the ranks of a run decide of its plan.
struct Setting {
  bool on_gpu{false};
  int ranks{1};
  Bytes free_memory;  ///< that one rank may take; the least over ranks
  std::string memory_name{"host memory"};
  Bytes cache{};  ///< Device::cache_to_leave
};

/// The protocol with every default filled in. A default sweep is cut to what fits; an asked size that does not fit, and
/// a timing or element type that the backend has not, throw UsageError.
CollectiveProtocol plan_protocol(const Options& options, const Setting& setting);

/// What --dry-run prints: payloads, calls, memory and an estimate of the time.
std::string describe_plan(const CollectiveProtocol& protocol, const Setting& setting);

/// The checks of a finished, or interrupted, report; --require turns a warning or an unknown into a failure.
std::vector<Check> checks_of(const CollectiveReport& report, const Options& options);

}  // namespace shakedown
