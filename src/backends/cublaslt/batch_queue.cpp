// SPDX-License-Identifier: Apache-2.0
#include "backends/cublaslt/batch_queue.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "backends/cuda/cuda_check.h"
#include "backends/cuda/open_gpu.h"

namespace shakedown {
namespace {

/// The host needs about this long to queue one product; a batch on an idle GPU waits until all of it is queued, so that
/// short products are not timed by their launches.
constexpr std::uint64_t launch_ns = 6000;
constexpr std::uint64_t longest_wait_ns = 2'000'000;
// The global timer ticks every 32 ns to 1 us: shorter spans tell no clock to a few percent.
constexpr std::uint64_t least_span_ns = 20000;
// No GPU runs outside of these; a counter was reset.
constexpr double least_mhz = 50;
constexpr double most_mhz = 5000;

}  // namespace

void wait_for(cudaEvent_t event, const char* doing) {
  constexpr auto spinning = std::chrono::microseconds(200);
  const auto began = std::chrono::steady_clock::now();
  while (true) {
    const cudaError_t status = cudaEventQuery(event);
    if (status != cudaErrorNotReady) return check(status, doing);
    if (std::chrono::steady_clock::now() - began > spinning) std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

BatchQueue::BatchQueue(cudaStream_t stream, int units) : stream_(stream), units_(units) {
  const std::size_t set = static_cast<std::size_t>(units);
  const std::size_t bytes = slots_.size() * 2 * set * sizeof(ClockStamp);
  device_stamps_ = device_memory(bytes, "allocate clock stamps on the GPU");
  check(cudaMemset(device_stamps_.get(), 0, bytes), "clear clock stamps on the GPU");
  void* raw = nullptr;
  check(cudaMallocHost(&raw, bytes), "allocate clock stamps on the host");
  host_stamps_.reset(raw);
  for (std::size_t i = 0; i < slots_.size(); ++i) {
    slots_[i].before = make_event();
    slots_[i].after = make_event();
    slots_[i].read = make_event();
    slots_[i].on_device = static_cast<ClockStamp*>(device_stamps_.get()) + 2 * set * i;
    slots_[i].on_host = static_cast<ClockStamp*>(host_stamps_.get()) + 2 * set * i;
  }
}

void BatchQueue::start(int calls, const std::function<void()>& work) {
  if (started_.size() == slots_.size()) throw Error("start a batch of products: too many are in flight");
  constexpr const char* doing = "queue a batch of products";
  Slot& slot = slots_[next_];
  const auto units = static_cast<std::size_t>(units_);
  const std::size_t set = units * sizeof(ClockStamp);
  check(cudaMemsetAsync(slot.on_device, 0, 2 * set, stream_), doing);
  if (idle())
    check(queue_wait(stream_, std::min(longest_wait_ns, launch_ns * static_cast<std::uint64_t>(calls + 4))), doing);
  check(queue_stamps(stream_, slot.on_device, units_), doing);
  check(cudaEventRecord(slot.before.get(), stream_), doing);
  work();
  check(cudaEventRecord(slot.after.get(), stream_), doing);
  check(queue_stamps(stream_, slot.on_device + units, units_), doing);
  check(cudaMemcpyAsync(slot.on_host, slot.on_device, 2 * set, cudaMemcpyDeviceToHost, stream_), doing);
  check(cudaEventRecord(slot.read.get(), stream_), doing);
  started_.push_back({next_, calls});
  next_ = (next_ + 1) % slots_.size();
}

BatchReading BatchQueue::finish() {
  if (started_.empty()) throw Error("finish a batch of products: none was started");
  const Started batch = started_.front();
  started_.pop_front();
  Slot& slot = slots_[batch.slot];
  wait_for(slot.read.get(), "multiply on the GPU");
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, slot.before.get(), slot.after.get()), "read the time of a batch");
  return {.per_call = Seconds{static_cast<double>(milliseconds) / 1e3 / batch.calls}, .clock_mhz = clock_of(slot)};
}

std::optional<double> BatchQueue::clock_of(const Slot& slot) const {
  std::vector<double> clocks;
  for (int unit = 0; unit < units_; ++unit) {
    const ClockStamp& first = slot.on_host[unit];
    const ClockStamp& last = slot.on_host[units_ + unit];
    const bool seen_by_both = first.nanoseconds != 0 && last.nanoseconds != 0;
    if (!seen_by_both || last.nanoseconds < first.nanoseconds + least_span_ns || last.cycles <= first.cycles) continue;
    const double mhz = static_cast<double>(last.cycles - first.cycles) /
                       static_cast<double>(last.nanoseconds - first.nanoseconds) * 1e3;
    if (mhz > least_mhz && mhz < most_mhz) clocks.push_back(mhz);
  }
  if (clocks.empty()) return std::nullopt;
  const auto middle = clocks.begin() + static_cast<std::ptrdiff_t>(clocks.size() / 2);
  std::nth_element(clocks.begin(), middle, clocks.end());
  return *middle;
}

}  // namespace shakedown
