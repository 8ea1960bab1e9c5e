// SPDX-License-Identifier: Apache-2.0
#include "publisher.h"

#include <memory>

#include "checks.h"
#include "report_snapshot.h"
#include "shakedown/report/render_gemm.h"

namespace shakedown {
namespace {

/// A person who interrupts loses no more than this of a search.
constexpr Seconds often_enough{0.3};
/// A copy of the whole report may take this part of the time: a sweep of thousands of shapes would copy more than it
/// measures.
constexpr double most_of_the_time = 0.02;

}  // namespace

void Publisher::publish() {
  if (!speaks_) return;
  results_told_ = report_.results.size();
  told_at_ = state_.elapsed();
  writer_.publish(std::make_shared<ReportSnapshot<GemmReport, Options>>(report_, options_, style_), told_at_);
  not_before_ = state_.elapsed() + (state_.elapsed() - told_at_) / most_of_the_time;
}

void Publisher::publish_now_and_then() {
  const Seconds now = state_.elapsed();
  if (now >= not_before_ && (report_.results.size() != results_told_ || now - told_at_ >= often_enough)) publish();
}

}  // namespace shakedown
