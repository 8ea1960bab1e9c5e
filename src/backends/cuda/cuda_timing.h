// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

#include <functional>
#include <memory>

#include "shakedown/device/device.h"

namespace shakedown {

/// Events on the stream as time marks; created once, so that marking costs one record.
std::unique_ptr<TimeMarks> make_event_marks(cudaStream_t stream, std::size_t size);

/// What `work` queues on the stream, as a graph that is launched on the same stream.
std::unique_ptr<Recording> record_graph(cudaStream_t stream, const std::function<void()>& work);

}  // namespace shakedown
