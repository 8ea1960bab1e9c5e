// SPDX-License-Identifier: Apache-2.0
#include "snapshot.h"

#include "checks.h"

namespace shakedown {

GemmReport GemmSnapshot::ended(const Ending& ending) const {
  GemmReport report = report_;
  report.header.complete = ending.complete;
  report.header.duration = ending.duration;
  report.ended_early = ending.reason;
  report.checks = checks_of(report, options_);
  return report;
}

}  // namespace shakedown
