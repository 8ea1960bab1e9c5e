// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "shakedown/base/units.h"
#include "silence.h"

namespace shakedown {

/// Looks at /proc in threads of its own, since reading a process that hangs in the kernel may hang as well, and
/// remembers whom it saw. Any thread may use it.
class SiblingWatch {
 public:
  explicit SiblingWatch(std::string job);
  SiblingWatch(const SiblingWatch&) = delete;
  SiblingWatch& operator=(const SiblingWatch&) = delete;
  ~SiblingWatch();

  /// What is there now; what was there at the last look when /proc does not answer within `patience`.
  LocalView look(Seconds patience);

 private:
  struct State;
  const std::shared_ptr<State> state_;
};

}  // namespace shakedown
