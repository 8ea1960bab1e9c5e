// SPDX-License-Identifier: Apache-2.0
#include "publisher.h"

#include <memory>

#include "snapshot.h"

namespace shakedown {
namespace {

/// A person who interrupts loses no more than this of a search.
constexpr Seconds often_enough{0.3};

}  // namespace

void Publisher::publish() {
  if (!speaks_) return;
  results_told_ = report_.results.size();
  told_at_ = state_.elapsed();
  writer_.publish(std::make_shared<GemmSnapshot>(report_, options_, style_), told_at_);
}

void Publisher::publish_now_and_then() {
  if (report_.results.size() != results_told_ || state_.elapsed() - told_at_ >= often_enough) publish();
}

}  // namespace shakedown
