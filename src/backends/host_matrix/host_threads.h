// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>

#include <functional>
#include <vector>

namespace shakedown {

/// Keeps the calling thread on one CPU for a while. Only for a while, since threads that it starts inherit its place.
class PinnedHere {
 public:
  explicit PinnedHere(int cpu);
  PinnedHere(const PinnedHere&) = delete;
  PinnedHere& operator=(const PinnedHere&) = delete;
  ~PinnedHere();

 private:
  cpu_set_t before_{};
  bool changed_{};
};

/// The set of this CPU alone; empty, which the kernel refuses, for one beyond what cpu_set_t holds.
cpu_set_t set_of(int cpu);

/// Keeps the calling thread on one CPU from now on. A kernel that refuses leaves it free, which costs speed alone.
void pin_this_thread(int cpu);

/// Runs work(i) on a thread of its own on cpus[i], for all of them at once, and waits. The work must not throw.
void on_each_core(const std::vector<int>& cpus, const std::function<void(std::size_t)>& work);

}  // namespace shakedown
