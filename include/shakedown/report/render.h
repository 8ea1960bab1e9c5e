// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "shakedown/model/collective_report.h"

namespace shakedown {

/// How text may look where it goes.
struct TextStyle {
  bool color{false};
  int columns{100};
};

/// The table, its legend, the environment and the line that says what to look at.
std::string render_text(const CollectiveReport& report, TextStyle style);

/// One JSON document (schema_version 1), ended by a newline; unknown values are null.
std::string render_json(const CollectiveReport& report);

}  // namespace shakedown
