// SPDX-License-Identifier: Apache-2.0
#include "sibling_watch.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

namespace shakedown {

/// Shared with a looking thread, which may outlive its owner.
struct SiblingWatch::State {
  explicit State(std::string name) : job(std::move(name)) {}

  void look() {
    std::vector<Sibling> found = find_siblings(job);
    const std::lock_guard lock{mutex};
    for (const Sibling& sibling : found) {
      const auto known = std::find_if(view.before.begin(), view.before.end(),
                                      [&](const Sibling& other) { return other.pid == sibling.pid; });
      if (known == view.before.end()) {
        view.before.push_back(sibling);
      } else {
        *known = sibling;
      }
    }
    view.now = std::move(found);
    busy = false;
    idle.notify_all();
  }

  const std::string job;
  std::mutex mutex;
  std::condition_variable idle;
  bool busy{false};
  LocalView view{::getpid(), {}, {}};
};

SiblingWatch::SiblingWatch(std::string job) : state_(std::make_shared<State>(std::move(job))) {}

SiblingWatch::~SiblingWatch() {
  std::unique_lock lock{state_->mutex};
  state_->idle.wait_for(lock, std::chrono::seconds{1}, [this] { return !state_->busy; });
}

LocalView SiblingWatch::look(Seconds patience) {
  const auto deadline =
      std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::milliseconds>(patience);
  std::unique_lock lock{state_->mutex};
  const auto is_idle = [this] { return !state_->busy; };
  if (state_->job.empty() || !state_->idle.wait_until(lock, deadline, is_idle)) return state_->view;
  state_->busy = true;
  try {
    std::thread{[state = state_] { state->look(); }}.detach();
  } catch (const std::system_error&) {  // no more threads: what we know must do
    state_->busy = false;
    return state_->view;
  }
  state_->idle.wait_until(lock, deadline, is_idle);
  return state_->view;
}

}  // namespace shakedown
