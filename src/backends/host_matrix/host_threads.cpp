// SPDX-License-Identifier: Apache-2.0
#include "backends/host_matrix/host_threads.h"

#include <thread>

namespace shakedown {

PinnedHere::PinnedHere(int cpu) : changed_(::sched_getaffinity(0, sizeof before_, &before_) == 0) {
  if (changed_) pin_this_thread(cpu);
}

PinnedHere::~PinnedHere() {
  if (changed_) ::sched_setaffinity(0, sizeof before_, &before_);
}

cpu_set_t set_of(int cpu) {
  cpu_set_t only;
  CPU_ZERO(&only);
  const auto index = static_cast<std::size_t>(cpu);
  if (index < CPU_SETSIZE) CPU_SET(index, &only);
  return only;
}

void pin_this_thread(int cpu) {
  const cpu_set_t only = set_of(cpu);
  ::sched_setaffinity(0, sizeof only, &only);
}

void on_each_core(const std::vector<int>& cpus, const std::function<void(std::size_t)>& work) {
  std::vector<std::thread> threads;
  threads.reserve(cpus.size());
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    threads.emplace_back([&, i] {
      pin_this_thread(cpus[i]);
      work(i);
    });
  }
  for (std::thread& thread : threads) thread.join();
}

}  // namespace shakedown
