// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "options.h"
#include "shakedown/app/result_writer.h"
#include "shakedown/report/render_gemm.h"

namespace shakedown {

/// A copy of the report as it is, with what is needed to judge and render it.
class GemmSnapshot final : public Snapshot {
 public:
  GemmSnapshot(GemmReport report, Options options, TextStyle style)
      : report_(std::move(report)), options_(std::move(options)), style_(style) {}

  [[nodiscard]] std::string table() const override { return render_table(report_, style_); }
  [[nodiscard]] std::string text(const Ending& ending) const override { return render_text(ended(ending), style_); }
  [[nodiscard]] std::string json(const Ending& ending) const override { return render_json(ended(ending)); }

 private:
  [[nodiscard]] GemmReport ended(const Ending& ending) const;

  GemmReport report_;
  Options options_;
  TextStyle style_;
};

}  // namespace shakedown
