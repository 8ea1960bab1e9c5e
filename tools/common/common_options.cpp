// SPDX-License-Identifier: Apache-2.0
#include "common_options.h"

#include <fmt/format.h>

#include <algorithm>

#include "option_values.h"
#include "shakedown/base/error.h"

namespace shakedown {
namespace {

constexpr double longest_timeout_s = 1e7;

}  // namespace

void declare_backend(Declarations& say, CommonOptions& o) {
  say.value("--backend", "NAME", "auto (default): GPUs when there are any, else the CPU; cuda; cpu",
            [&](const auto& t) {
              if (t != "auto" && t != "cuda" && t != "cpu")
                throw UsageError(fmt::format("--backend: '{}' is not one of auto, cuda, cpu", t));
              o.backend = t;
            });
}

void declare_timeout(Declarations& say, CommonOptions& o, const std::string& names) {
  say.value(names, "SECONDS", "the longest silence of one step or call (default 60; 0 for none)",
            [&](const auto& t) { o.timeout = Seconds{parse_number(t, "--timeout", 0, longest_timeout_s)}; });
}

void declare_output(Declarations& say, CommonOptions& o) {
  say.section("What comes out");
  say.value("-J,--json", "FILE", "the result as JSON too; - is stdout, which then holds JSON alone",
            [&](const auto& t) { o.json = t; });
  say.value("--output-file", "FILE", "the text report to FILE, too", [&](const auto& t) { o.output_file = t; });
  say.value("--notes", "TEXT", "kept in the report", [&](const auto& t) { o.notes = t; });
  say.flag("--quiet", "no progress and no remarks on stderr; errors stay", [&] { o.quiet = true; });
  say.flag("--dry-run", "print what would be measured, with time and memory, and stop", [&] { o.dry_run = true; });
}

void declare_require(Declarations& say, CommonOptions& o, const std::string& checks) {
  say.value("--require", "CHECK,...", "a warning or an unknown of these checks fails, too: " + checks,
            [&](const auto& t) { o.require = split_list(t); });
}

void check_common(const CommonOptions& o) {
  if (o.dry_run && o.json == "-")
    throw UsageError("--dry-run prints text; leave out --json -, which promises JSON alone");
  if (o.json && o.json->empty()) throw UsageError("--json: '' is no file; give a path, or - for stdout");
  if (o.output_file && (o.output_file->empty() || *o.output_file == "-"))
    throw UsageError(
        fmt::format("--output-file: '{}' is no file; the text report goes to stdout anyway", *o.output_file));
}

void apply_require(std::vector<Check>& checks, const std::vector<std::string>& require) {
  for (Check& check : checks) {
    const bool required = std::find(require.begin(), require.end(), check.id) != require.end();
    if (!required || (check.status != CheckStatus::warn && check.status != CheckStatus::unknown)) continue;
    check.message += fmt::format(" ({}, and --require names it)", name_of(check.status));
    check.status = CheckStatus::fail;
  }
}

}  // namespace shakedown
