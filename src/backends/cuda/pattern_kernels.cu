// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <algorithm>

#include "backends/cuda/pattern_kernels.h"

namespace shakedown {
namespace {

constexpr unsigned threads_per_block = 256;
constexpr unsigned pack_bytes = 16;  ///< the widest load and store of a thread

/// How a small whole number lies in memory; compared as bits, so that -0 differs from 0 and a NaN is wrong once, not
/// always.
template <class Integer>
struct IntegerBits {
  using Bits = Integer;
  static __device__ Bits encode(std::int64_t value) { return static_cast<Integer>(value); }
};

struct Float16Bits {
  using Bits = std::uint16_t;
  static __device__ Bits encode(std::int64_t value) { return __half_as_ushort(__int2half_rn(static_cast<int>(value))); }
};

struct Bfloat16Bits {
  using Bits = std::uint16_t;
  static __device__ Bits encode(std::int64_t value) {
    return __bfloat16_as_ushort(__float2bfloat16_rn(static_cast<float>(value)));
  }
};

struct Float32Bits {
  using Bits = std::uint32_t;
  static __device__ Bits encode(std::int64_t value) { return __float_as_uint(static_cast<float>(value)); }
};

struct Float64Bits {
  using Bits = std::uint64_t;
  static __device__ Bits encode(std::int64_t value) {
    return static_cast<std::uint64_t>(__double_as_longlong(static_cast<double>(value)));
  }
};

template <__nv_fp8_interpretation_t format>
struct Float8Bits {
  using Bits = std::uint8_t;
  static __device__ Bits encode(std::int64_t value) {
    return __nv_cvt_float_to_fp8(static_cast<float>(value), __NV_SATFINITE, format);
  }
};

/// As many elements as one thread moves at a time.
template <class Bits>
struct alignas(pack_bytes) Pack {
  static constexpr unsigned size = pack_bytes / sizeof(Bits);
  Bits elements[size];
};

__device__ std::uint64_t thread_index() { return static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; }
__device__ std::uint64_t thread_count() { return static_cast<std::uint64_t>(gridDim.x) * blockDim.x; }

/// The first `packs` packs, then element by element what is left.
template <class Element>
__global__ void fill_kernel(typename Element::Bits* data, std::uint64_t packs, std::uint64_t count,
                            CheckPattern pattern, std::uint32_t rank) {
  using PackOf = Pack<typename Element::Bits>;
  for (std::uint64_t p = thread_index(); p < packs; p += thread_count()) {
    PackOf pack;
#pragma unroll
    for (unsigned e = 0; e < PackOf::size; ++e) {
      pack.elements[e] = Element::encode(pattern_contribution(pattern, rank, p * PackOf::size + e));
    }
    reinterpret_cast<PackOf*>(data)[p] = pack;
  }
  for (std::uint64_t i = packs * PackOf::size + thread_index(); i < count; i += thread_count()) {
    data[i] = Element::encode(pattern_contribution(pattern, rank, i));
  }
}

/// One thread's findings; written once, at its end, so that a wholly wrong buffer costs one atomic a thread.
template <class Element>
struct Comparison {
  MismatchCount mine;
  __device__ void look(typename Element::Bits got, const CheckPattern& pattern, std::uint64_t index) {
    if (got == Element::encode(pattern_sum(pattern, index))) return;
    ++mine.wrong;
    if (index < mine.first_index) mine.first_index = index;
  }
};

template <class Element>
__global__ void check_kernel(const typename Element::Bits* data, std::uint64_t packs, std::uint64_t count,
                             CheckPattern pattern, MismatchCount* found) {
  using PackOf = Pack<typename Element::Bits>;
  Comparison<Element> comparison;
  for (std::uint64_t p = thread_index(); p < packs; p += thread_count()) {
    const PackOf pack = reinterpret_cast<const PackOf*>(data)[p];
#pragma unroll
    for (unsigned e = 0; e < PackOf::size; ++e) comparison.look(pack.elements[e], pattern, p * PackOf::size + e);
  }
  for (std::uint64_t i = packs * PackOf::size + thread_index(); i < count; i += thread_count()) {
    comparison.look(data[i], pattern, i);
  }
  if (comparison.mine.wrong == 0) return;
  atomicAdd(&found->wrong, comparison.mine.wrong);
  atomicMin(&found->first_index, comparison.mine.first_index);
}

/// How a range is split over a grid.
struct Split {
  std::uint64_t packs;
  unsigned blocks;
};

Split split(const KernelQueue& queue, const void* data, std::uint64_t count, unsigned pack_size) {
  const bool aligned = reinterpret_cast<std::uintptr_t>(data) % pack_bytes == 0;
  const std::uint64_t packs = aligned ? count / pack_size : 0;
  const std::uint64_t items = std::max(packs, count - packs * pack_size);
  const std::uint64_t needed = (items + threads_per_block - 1) / threads_per_block;
  return {packs, static_cast<unsigned>(std::clamp<std::uint64_t>(needed, 1, queue.blocks))};
}

/// Calls `visit` with the device's codec of `type`.
template <class Visit>
cudaError_t with_device_element(DataType type, Visit&& visit) {
  switch (type) {
    case DataType::int8:
      return visit(IntegerBits<std::int8_t>{});
    case DataType::uint8:
      return visit(IntegerBits<std::uint8_t>{});
    case DataType::int32:
      return visit(IntegerBits<std::int32_t>{});
    case DataType::uint32:
      return visit(IntegerBits<std::uint32_t>{});
    case DataType::int64:
      return visit(IntegerBits<std::int64_t>{});
    case DataType::uint64:
      return visit(IntegerBits<std::uint64_t>{});
    case DataType::float16:
      return visit(Float16Bits{});
    case DataType::bfloat16:
      return visit(Bfloat16Bits{});
    case DataType::float32:
      return visit(Float32Bits{});
    case DataType::float64:
      return visit(Float64Bits{});
    case DataType::float8_e4m3fn:
      return visit(Float8Bits<__NV_E4M3>{});
    case DataType::float8_e5m2:
      return visit(Float8Bits<__NV_E5M2>{});
  }
  return cudaErrorInvalidValue;
}

}  // namespace

cudaError_t queue_fill(const KernelQueue& queue, void* data, DataType type, std::uint64_t count,
                       const CheckPattern& pattern, std::uint32_t rank) {
  if (count == 0) return cudaSuccess;
  return with_device_element(type, [&](auto element) {
    using Element = decltype(element);
    const Split grid = split(queue, data, count, Pack<typename Element::Bits>::size);
    fill_kernel<Element><<<grid.blocks, threads_per_block, 0, queue.stream>>>(
        static_cast<typename Element::Bits*>(data), grid.packs, count, pattern, rank);
    return cudaGetLastError();
  });
}

cudaError_t queue_check(const KernelQueue& queue, const void* data, DataType type, std::uint64_t count,
                        const CheckPattern& pattern, MismatchCount* found) {
  if (count == 0) return cudaSuccess;
  return with_device_element(type, [&](auto element) {
    using Element = decltype(element);
    const Split grid = split(queue, data, count, Pack<typename Element::Bits>::size);
    check_kernel<Element><<<grid.blocks, threads_per_block, 0, queue.stream>>>(
        static_cast<const typename Element::Bits*>(data), grid.packs, count, pattern, found);
    return cudaGetLastError();
  });
}

}  // namespace shakedown
