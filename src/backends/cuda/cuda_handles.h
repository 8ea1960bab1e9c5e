// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <memory>
#include <type_traits>

#include "backends/cuda/cuda_check.h"

namespace shakedown {

/// Gives a handle of the CUDA runtime back; errors are ignored, since a destructor can do nothing about them.
template <class Handle, cudaError_t (*give_back)(Handle)>
struct HandleDeleter {
  using pointer = Handle;
  void operator()(Handle handle) const noexcept { give_back(handle); }
};

template <class Handle, cudaError_t (*give_back)(Handle)>
using UniqueHandle = std::unique_ptr<std::remove_pointer_t<Handle>, HandleDeleter<Handle, give_back>>;

using UniqueStream = UniqueHandle<cudaStream_t, cudaStreamDestroy>;
using UniqueEvent = UniqueHandle<cudaEvent_t, cudaEventDestroy>;
using UniqueGraph = UniqueHandle<cudaGraph_t, cudaGraphDestroy>;
using UniqueGraphExec = UniqueHandle<cudaGraphExec_t, cudaGraphExecDestroy>;
using UniqueMemory = UniqueHandle<void*, cudaFree>;

/// A stream that does not wait for the legacy default stream.
inline UniqueStream make_stream() {
  cudaStream_t raw{};
  check(cudaStreamCreateWithFlags(&raw, cudaStreamNonBlocking), "create a CUDA stream");
  return UniqueStream(raw);
}

/// An event that takes the time.
inline UniqueEvent make_event() {
  cudaEvent_t raw{};
  check(cudaEventCreateWithFlags(&raw, cudaEventDefault), "create a CUDA event");
  return UniqueEvent(raw);
}

}  // namespace shakedown
