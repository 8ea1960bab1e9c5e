// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "declarations.h"
#include "shakedown/base/units.h"
#include "shakedown/model/verdict.h"

namespace shakedown {

/// What every tool can be told.
struct CommonOptions {
  std::string backend{"auto"};
  std::optional<std::string> json;  ///< "-" is stdout
  std::optional<std::string> output_file;
  std::string notes;
  bool quiet{false};
  bool dry_run{false};
  Seconds timeout{60};
  std::vector<std::string> require;  ///< checks whose warning or unknown fails, too
};

void declare_backend(Declarations& say, CommonOptions& options);
void declare_timeout(Declarations& say, CommonOptions& options, const std::string& names);
void declare_output(Declarations& say, CommonOptions& options);
/// `checks` names them in the help.
void declare_require(Declarations& say, CommonOptions& options, const std::string& checks);

/// Throws UsageError for what contradicts itself in them.
void check_common(const CommonOptions& options);

/// Turns a warning or an unknown of a check that --require names into a failure, and says so.
void apply_require(std::vector<Check>& checks, const std::vector<std::string>& require);

}  // namespace shakedown
