// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "shakedown/comm/launch_env.h"
#include "shakedown/comm/session.h"

namespace shakedown {

/// Throws AgreedError on every rank when MPI's world is not the one that the launcher announced.
void check_joined(Session& session, const LaunchEnv& launch);

/// Throws AgreedError on every rank, which names two, when some use GPUs and some don't. `reason` says why this one
/// does or doesn't.
void check_same_backend(Session& session, bool gpu, const std::string& reason);

/// Rank 0's command line, on every rank: the one that counts.
std::vector<std::string> arguments_of_rank_0(Session& session, const std::vector<std::string>& mine);

}  // namespace shakedown
