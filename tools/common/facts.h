// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "shakedown/comm/session.h"
#include "shakedown/model/run_context.h"

namespace shakedown {

/// What one rank tells the others of itself.
struct RankFacts {
  RankInfo info;
  std::string boot_id;
  NamedValues versions;
  NamedValues environment;
};

/// Every rank's facts in rank order, on every rank.
std::vector<RankFacts> gather_facts(Session& session, const RankFacts& mine);

/// Variables and library versions that should be equal and are not, with both values and their ranks; hosts that share
/// a name and are two machines. Variables that are per rank by nature don't count.
std::vector<std::string> find_differences(const std::vector<RankFacts>& ranks);

/// Throws UsageError that names two ranks when they hold one GPU.
void refuse_shared_gpus(const std::vector<RankFacts>& ranks);

}  // namespace shakedown
