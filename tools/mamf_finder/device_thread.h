// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <thread>

#include "engines.h"

namespace shakedown {

/// A thread that owns one device's engine, since an engine is used, and dies, in the thread that opened it.
class DeviceThread {
 public:
  using Job = std::function<void(EngineSeat&)>;

  DeviceThread(MatrixModules& modules, int index);
  DeviceThread(const DeviceThread&) = delete;
  DeviceThread& operator=(const DeviceThread&) = delete;
  ~DeviceThread();

  /// Jobs run one after the other; the future throws what the job threw.
  std::future<void> start(Job job);
  void run(Job job) { start(std::move(job)).get(); }

 private:
  void work(MatrixModules& modules, int index);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::packaged_task<void(EngineSeat&)>> jobs_;
  bool stopping_{false};
  std::thread thread_;
};

}  // namespace shakedown
