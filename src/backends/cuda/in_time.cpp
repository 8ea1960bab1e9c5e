// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/in_time.h"

#include <algorithm>
#include <future>
#include <thread>
#include <utility>

namespace shakedown {

bool ends_in_time(Seconds limit, std::function<void()> work) {
  constexpr Seconds thirty_years{1e9};  // more would overflow the clock's nanoseconds
  std::packaged_task<void()> task(std::move(work));
  std::future<void> result = task.get_future();
  std::thread(std::move(task)).detach();
  if (limit.count() > 0 && result.wait_for(std::min(limit, thirty_years)) != std::future_status::ready) return false;
  result.get();
  return true;
}

}  // namespace shakedown
