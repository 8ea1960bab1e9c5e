// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "report/shared_sections.h"
#include "report/words.h"

namespace shakedown {
namespace {

Ink ink_of(CheckStatus status) {
  switch (status) {
    case CheckStatus::pass:
      return Ink::good;
    case CheckStatus::fail:
      return Ink::bad;
    case CheckStatus::warn:
    case CheckStatus::unknown:
      break;
  }
  return Ink::caution;
}

/// Paints after wrapping, since an escape sequence takes no room on the line.
std::string paint_start(const std::string& text, const std::string& start, Ink ink, bool color) {
  return painted(start, ink, color) + text.substr(start.size());
}

}  // namespace

std::string incomplete_text(const RunHeader& header, const std::string& ended_early, const std::string& progress,
                            TextStyle style) {
  if (header.complete) return "";
  const std::string why = ended_early.empty() ? "the run has not ended" : one_line(ended_early);
  return paint_start(wrapped("Not complete: " + why + "; " + progress, style.columns), "Not complete:", Ink::caution,
                     style.color);
}

std::string verdict_text(const RunHeader& header, const std::vector<Check>& checks, TextStyle style) {
  const Verdict verdict = judge(checks);
  const std::string start = fmt::format("Verdict: {}", name_of(verdict.status));
  std::string text = start;
  if (!header.complete) text += ", of a run that is not complete";
  if (verdict.unknown > 0)
    text += fmt::format(" ({} unknown)", counted(static_cast<std::uint64_t>(verdict.unknown), "check"));
  if (checks.empty()) text += ": nothing was checked";
  if (verdict.reasons.size() == 1) text += ": " + one_line(verdict.reasons.front());
  text = wrapped(text, style.columns);
  if (verdict.reasons.size() > 1) {
    for (const CheckStatus status : {CheckStatus::fail, CheckStatus::warn, CheckStatus::unknown}) {
      for (const Check& check : checks) {
        if (check.status != status) continue;
        text += wrapped(fmt::format("- {}: {}", name_of(status), one_line(check.message)), style.columns, "  ");
      }
    }
  }
  return paint_start(text, start, ink_of(verdict.status), style.color);
}

}  // namespace shakedown
