// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace shakedown {

/// How text may look where it goes.
struct TextStyle {
  bool color{false};
  int columns{100};
};

}  // namespace shakedown
