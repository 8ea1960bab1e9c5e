// SPDX-License-Identifier: Apache-2.0
#include "result_files.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shakedown/base/error.h"

namespace shakedown {
namespace {

/// Whether the path leads to what stdout is: /dev/stdout, or the file that a shell redirected it to.
bool is_stdout(const std::string& path) {
  struct stat named {};
  struct stat own {};
  return ::stat(path.c_str(), &named) == 0 && ::fstat(STDOUT_FILENO, &own) == 0 && named.st_dev == own.st_dev &&
         named.st_ino == own.st_ino;
}

}  // namespace

ResultWriter::Targets open_files(const CommonOptions& options) {
  ResultWriter::Targets targets;
  targets.json_on_stdout = options.json == "-";
  if (options.json && !targets.json_on_stdout) targets.json = std::make_unique<OutputFile>(*options.json);
  if (options.output_file) targets.text = std::make_unique<OutputFile>(*options.output_file);
  if (targets.json_on_stdout && targets.text && is_stdout(*options.output_file))
    throw UsageError(
        fmt::format("--json - and --output-file '{}': stdout holds the JSON alone; name a file", *options.output_file));
  if (targets.json && targets.text && targets.json->same_target(*targets.text))
    throw UsageError(
        fmt::format("--json '{}' and --output-file '{}' are one file; name two", *options.json, *options.output_file));
  return targets;
}

}  // namespace shakedown
