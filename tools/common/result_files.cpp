// SPDX-License-Identifier: Apache-2.0
#include "result_files.h"

#include <fmt/format.h>

#include "shakedown/base/error.h"

namespace shakedown {

ResultWriter::Targets open_files(const CommonOptions& options) {
  ResultWriter::Targets targets;
  targets.json_on_stdout = options.json == "-";
  if (options.json && !targets.json_on_stdout) targets.json = std::make_unique<OutputFile>(*options.json);
  if (options.output_file) targets.text = std::make_unique<OutputFile>(*options.output_file);
  if (targets.json && targets.text && targets.json->same_target(*targets.text))
    throw UsageError(
        fmt::format("--json '{}' and --output-file '{}' are one file; name two", *options.json, *options.output_file));
  return targets;
}

}  // namespace shakedown
