// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "shakedown/model/run_context.h"
#include "shakedown/model/verdict.h"
#include "shakedown/report/text_style.h"

namespace shakedown {

/// The parts of a text report that every tool has. Each is whole lines, or empty where it has nothing to say.

/// Whatever makes two reports comparable.
std::string environment_text(const RunHeader& header, const RunContext& context, TextStyle style);
/// Why the run ended early, and how far it came ("3 of 7 payloads done").
std::string incomplete_text(const RunHeader& header, const std::string& ended_early, const std::string& progress,
                            TextStyle style);
std::string verdict_text(const RunHeader& header, const std::vector<Check>& checks, TextStyle style);

/// The sections that are not empty, each after an empty line.
std::string joined_sections(const std::vector<std::string>& sections);

/// Different host names.
std::size_t host_count(const RunContext& context);

}  // namespace shakedown
