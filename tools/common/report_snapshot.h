// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "shakedown/app/result_writer.h"
#include "shakedown/report/text_style.h"

namespace shakedown {

/// A copy of a tool's report as it is, with what is needed to judge and render it: checks_of(report, options) and
/// render_table, render_text and render_json of this kind of report.
template <class Report, class Options>
class ReportSnapshot final : public Snapshot {
 public:
  ReportSnapshot(Report report, Options options, TextStyle style)
      : report_(std::move(report)), options_(std::move(options)), style_(style) {}

  [[nodiscard]] std::string table() const override { return render_table(report_, style_); }
  [[nodiscard]] std::string text(const Ending& ending) const override { return render_text(ended(ending), style_); }
  [[nodiscard]] std::string json(const Ending& ending) const override { return render_json(ended(ending)); }

 private:
  [[nodiscard]] Report ended(const Ending& ending) const {
    Report report = report_;
    report.header.complete = ending.complete;
    report.header.duration = ending.duration;
    report.ended_early = ending.reason;
    report.checks = checks_of(report, options_);
    return report;
  }

  Report report_;
  Options options_;
  TextStyle style_;
};

}  // namespace shakedown
