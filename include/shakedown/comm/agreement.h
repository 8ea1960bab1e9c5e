// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "shakedown/base/error.h"
#include "shakedown/comm/session.h"

namespace shakedown {

/// A failure that every rank knows of: each throws the same text, so that all can leave together and rank 0 alone tells
/// it.
class AgreedError final : public Error {
 public:
  AgreedError(const std::string& what, ExitCode code) : Error(what), code_(code) {}
  [[nodiscard]] ExitCode exit_code() const override { return code_; }

 private:
  ExitCode code_;
};

/// Runs `body` on every rank and waits for all. Where it throws on any, every rank throws AgreedError with the text and
/// the exit code of the first such rank, after `who` of that rank ("rank 3 on node-b"), and the number of the others.
void agree(Session& session, const std::string& who, const std::function<void()>& body);

}  // namespace shakedown
