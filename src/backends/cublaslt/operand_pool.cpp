// SPDX-License-Identifier: Apache-2.0
#include "backends/cublaslt/operand_pool.h"

#include <fmt/format.h>

#include "backends/cuda/cuda_check.h"
#include "backends/cuda/open_gpu.h"
#include "shakedown/base/error.h"
#include "shakedown/base/size_text.h"

namespace shakedown {

void OperandPool::grow_to(std::uint64_t bytes, cudaStream_t stream) {
  if (bytes <= size_) return;
  release();
  memory_ = device_memory(
      bytes, fmt::format("allocate {} ({} bytes) for {} on the GPU", approximate_size({bytes}), bytes, name_));
  size_ = bytes;
  if (!contents_.filled) return;
  check(queue_values(stream, memory_.get(), bytes, contents_.format, contents_.data, contents_.seed),
        fmt::format("fill {} on the GPU", name_));
}

void OperandPool::release() {
  memory_.reset();
  size_ = 0;
}

Operands::Operands(GemmType type, GemmData data, std::uint64_t seed) {
  const KindFormats formats = formats_of(type);
  const OperandFormat scales = formats.scales.value_or(OperandFormat::e8m0_scales);
  a_ = OperandPool({formats.a, data, seed}, "A");
  b_ = OperandPool({formats.b, data, ~seed}, "B");
  d_ = OperandPool({formats.d, data, seed, false}, "D");
  a_scales_ = OperandPool({scales, data, seed ^ 1}, "the scales of A");
  b_scales_ = OperandPool({scales, data, ~seed ^ 1}, "the scales of B");
}

void Operands::reserve(std::uint64_t bytes, cudaStream_t stream) {
  for (OperandPool* pool : {&a_, &b_, &d_}) pool->grow_to(bytes, stream);
}

void Operands::require(const OperandPlan& plan, cudaStream_t stream) {
  if (plan.a_bytes() <= a_.size() && plan.b_bytes() <= b_.size() && plan.d_bytes() <= d_.size() &&
      plan.a_scales <= a_scales_.size() && plan.b_scales <= b_scales_.size())
    return;
  check(cudaStreamSynchronize(stream), "wait for products before their operands grow");
  try {
    grow(plan, stream);
  } catch (const Error&) {
    for (OperandPool* pool : {&a_, &b_, &d_, &a_scales_, &b_scales_}) pool->release();
    grow(plan, stream);
  }
}

void Operands::grow(const OperandPlan& plan, cudaStream_t stream) {
  a_.grow_to(plan.a_bytes(), stream);
  b_.grow_to(plan.b_bytes(), stream);
  d_.grow_to(plan.d_bytes(), stream);
  a_scales_.grow_to(plan.a_scales, stream);
  b_scales_.grow_to(plan.b_scales, stream);
}

}  // namespace shakedown
