// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "options.h"
#include "process_state.h"
#include "shakedown/report/render_gemm.h"

namespace shakedown {

/// Hands the growing report to the writer: each new result at once, shapes that were merely looked at a few times a
/// second. Nothing where this rank doesn't speak.
class Publisher {
 public:
  Publisher(ResultWriter& writer, const GemmReport& report, const Options& options, TextStyle style,
            const ProcessState& state, bool speaks)
      : writer_(writer), report_(report), options_(options), style_(style), state_(state), speaks_(speaks) {}

  void publish();
  void publish_now_and_then();

 private:
  ResultWriter& writer_;
  const GemmReport& report_;
  const Options& options_;
  const TextStyle style_;
  const ProcessState& state_;
  const bool speaks_;
  std::size_t results_told_{0};
  Seconds told_at_{0};
  Seconds not_before_{0};  ///< when the next one is due at the earliest
};

}  // namespace shakedown
