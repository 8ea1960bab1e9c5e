// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/cuda_timing.h"

#include <fmt/format.h>

#include <thread>
#include <utility>
#include <vector>

#include "backends/cuda/cuda_check.h"
#include "backends/cuda/cuda_handles.h"

namespace shakedown {
namespace {

constexpr double seconds_per_millisecond = 1e-3;

class EventMarks final : public TimeMarks {
 public:
  EventMarks(cudaStream_t stream, std::size_t size) : stream_(stream) {
    events_.reserve(size);
    for (std::size_t i = 0; i < size; ++i) events_.push_back(make_event());
  }

  void mark(std::size_t position) override {
    check(cudaEventRecord(events_.at(position).get(), stream_), "set a time mark on the GPU");
  }

  std::vector<double> intervals(const WaitHooks& hooks) override {
    std::vector<double> result;
    if (!events_.empty()) wait_for(events_.front().get(), hooks);
    for (std::size_t i = 1; i < events_.size(); ++i) {
      wait_for(events_[i].get(), hooks);
      float milliseconds = 0;
      check(cudaEventElapsedTime(&milliseconds, events_[i - 1].get(), events_[i].get()),
            "read the time between two marks");
      result.push_back(static_cast<double>(milliseconds) * seconds_per_millisecond);
      if (hooks.on_each) hooks.on_each();
    }
    return result;
  }

 private:
  /// Asks instead of sleeping in the driver: the answer comes sooner, and so does a failure of the device.
  static void wait_for(cudaEvent_t event, const WaitHooks& hooks) {
    for (;;) {
      const cudaError_t status = cudaEventQuery(event);
      if (status == cudaSuccess) return;
      if (status != cudaErrorNotReady) check(status, "wait for the timed calls");
      if (hooks.while_waiting) hooks.while_waiting();
      std::this_thread::yield();
    }
  }

  cudaStream_t stream_;
  std::vector<UniqueEvent> events_;
};

class GraphRecording final : public Recording {
 public:
  GraphRecording(cudaStream_t stream, UniqueGraphExec graph) : stream_(stream), graph_(std::move(graph)) {}
  void replay() override { check(cudaGraphLaunch(graph_.get(), stream_), "launch a CUDA graph"); }

 private:
  cudaStream_t stream_;
  UniqueGraphExec graph_;
};

/// Takes the stream out of capture mode; null when the capture was broken.
UniqueGraph end_capture(cudaStream_t stream, cudaError_t& status) {
  cudaGraph_t raw{};
  status = cudaStreamEndCapture(stream, &raw);
  return UniqueGraph(raw);
}

}  // namespace

std::unique_ptr<TimeMarks> make_event_marks(cudaStream_t stream, std::size_t size) {
  return std::make_unique<EventMarks>(stream, size);
}

std::unique_ptr<Recording> record_graph(cudaStream_t stream, const std::function<void()>& work) {
  cudaError_t status{};
  // Thread-local: NCCL's proxy threads may allocate meanwhile, which the global mode would forbid to the whole process.
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "begin to record a CUDA graph");
  try {
    work();
  } catch (...) {
    end_capture(stream, status);
    cudaGetLastError();  // the broken capture is not the caller's error, and must not show up in its next call
    throw;
  }
  const UniqueGraph graph = end_capture(stream, status);
  check(status, "record a CUDA graph");
  cudaGraphExec_t raw{};
  check(cudaGraphInstantiateWithFlags(&raw, graph.get(), 0), "make a CUDA graph ready to run");
  return std::make_unique<GraphRecording>(stream, UniqueGraphExec(raw));
}

}  // namespace shakedown
