// SPDX-License-Identifier: Apache-2.0
#include "backends/cublaslt/operand_pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "backends/cuda/cuda_check.h"
#include "backends/cuda/open_gpu.h"
#include "shakedown/base/size_text.h"

namespace shakedown {
namespace {

constexpr std::uint64_t alignment = 256;
constexpr std::uint64_t unbounded = std::numeric_limits<std::uint64_t>::max();
constexpr int most_places = 8192;

std::uint64_t times(std::uint64_t a, std::uint64_t b) { return a != 0 && b > unbounded / a ? unbounded : a * b; }
std::uint64_t plus(std::uint64_t a, std::uint64_t b) { return a > unbounded - b ? unbounded : a + b; }
std::uint64_t aligned(std::uint64_t bytes) {
  return bytes > unbounded - alignment ? unbounded : (bytes + alignment - 1) / alignment * alignment;
}

}  // namespace

void OperandPool::reset(const Contents& contents, const char* name) {
  contents_ = contents;
  name_ = name;
  memory_.reset();
  size_ = 0;
}

void OperandPool::require(std::uint64_t bytes, cudaStream_t stream) {
  if (bytes <= size_) return;
  check(cudaStreamSynchronize(stream), "wait for products before their operands grow");
  memory_.reset();
  size_ = 0;
  const std::string doing = fmt::format("allocate {} for {} on the GPU", approximate_size(Bytes{bytes}), name_);
  memory_ = device_memory(bytes, doing);
  size_ = bytes;
  check(queue_values(stream, memory_.get(), bytes, contents_.format, contents_.data, contents_.seed),
        fmt::format("fill {} on the GPU", name_));
}

OperandPlan plan_operands(const GemmKind& kind, const GemmShape& shape, std::uint64_t cache) {
  const auto packed = [&](std::uint64_t elements) {
    const std::uint64_t bits = times(elements, input_bits_of(kind.type));
    return aligned(bits == unbounded ? unbounded : bits / 8 + (bits % 8 != 0 ? 1 : 0));
  };
  OperandPlan plan;
  plan.a_stride = packed(times(shape.m, shape.k));
  plan.b_stride = packed(times(shape.n, shape.k));
  plan.d_stride = aligned(times(times(shape.m, shape.n), output_size_of(kind.type)));
  const std::uint64_t inputs = std::max<std::uint64_t>(1, plus(plan.a_stride, plan.b_stride));
  const std::uint64_t wanted = 2 * cache / inputs + 1;
  plan.places = static_cast<int>(std::clamp<std::uint64_t>(wanted, 2, most_places));
  return plan;
}

std::uint64_t bytes_of(const OperandPlan& plan) {
  const std::uint64_t one = plus(plus(plan.a_stride, plan.b_stride), plan.d_stride);
  return times(one, static_cast<std::uint64_t>(plan.places));
}

}  // namespace shakedown
