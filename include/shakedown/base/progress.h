// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace shakedown {

/// What a person who waits may read; never part of the result.
class Progress {
 public:
  virtual ~Progress() = default;
  /// Shows one line in place of the last one.
  virtual void update(std::string_view line) = 0;
  /// Takes the line away, before anything else is printed.
  virtual void clear() = 0;
};

/// Progress where nobody watches.
class SilentProgress final : public Progress {
 public:
  void update(std::string_view) override {}
  void clear() override {}
};

}  // namespace shakedown
