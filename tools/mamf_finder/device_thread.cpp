// SPDX-License-Identifier: Apache-2.0
#include "device_thread.h"

#include <utility>

namespace shakedown {

DeviceThread::DeviceThread(MatrixModules& modules, int index)
    : thread_([this, &modules, index] { work(modules, index); }) {}

DeviceThread::~DeviceThread() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

std::future<void> DeviceThread::start(Job job) {
  std::packaged_task<void(EngineSeat&)> task(std::move(job));
  std::future<void> done = task.get_future();
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(task));
  }
  changed_.notify_one();
  return done;
}

void DeviceThread::work(MatrixModules& modules, int index) {
  EngineSeat seat(modules, index);
  std::unique_lock lock(mutex_);
  while (true) {
    changed_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    auto job = std::move(jobs_.front());
    jobs_.pop_front();
    lock.unlock();
    job(seat);
    lock.lock();
  }
}

}  // namespace shakedown
