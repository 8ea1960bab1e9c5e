// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>

namespace shakedown {

/// How one rank's samples lie, in seconds a call.
struct RankSamples {
  double mean{};
  double median{};
  double spread{};  ///< scaled MAD
};

/// The rank the others waited for, and how much less time than the median rank it spent in a call.
struct Lead {
  int rank{};
  double seconds{};
};

/// In a call that synchronizes the ranks, the one that comes last waits for nobody and so spends the least time in it;
/// a longer time never names a culprit. Nothing when its lead lies within the spread over iterations (3 times the
/// larger of its own and the median rank's), or below a tenth of the median rank's time or a microsecond, or when there
/// are fewer than two ranks.
std::optional<Lead> find_straggler(std::span<const RankSamples> ranks);

}  // namespace shakedown
