// SPDX-License-Identifier: Apache-2.0
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>

#include "backends/cublaslt/operand_kernels.h"

namespace shakedown {
namespace {

constexpr int threads = 256;
constexpr unsigned blocks = 2048;

/// SplitMix64's finalizer (Steele, Lea, Flood 2014): a good hash of a counter.
__device__ std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// As many random bits of a unit interval as the type's fraction holds: [0, 1).
__device__ float unit(std::uint64_t bits, float) { return static_cast<float>(bits >> 40) * 0x1p-24f; }
__device__ double unit(std::uint64_t bits, double) { return static_cast<double>(bits >> 11) * 0x1p-53; }

/// By Box and Muller; u is in [0, 1), and 1 - u exact and never 0.
__device__ float normal_of(float u, float v) { return sqrtf(-2.0f * logf(1.0f - u)) * cospif(2.0f * v); }
__device__ double normal_of(double u, double v) { return sqrt(-2.0 * log(1.0 - u)) * cospi(2.0 * v); }

/// The value at position i.
template <class Real>
__device__ Real value_at(std::uint64_t i, GemmData data, std::uint64_t seed) {
  const std::uint64_t first = mix(i * 0x9e3779b97f4a7c15ull + mix(seed));
  switch (data) {
    case GemmData::normal:
      return normal_of(unit(first, Real{}), unit(mix(first), Real{}));
    case GemmData::uniform:
      return Real{2} * unit(first, Real{}) - Real{1};
    case GemmData::integers:
      return static_cast<Real>(static_cast<int>(first % 9) - 4);
    case GemmData::ones:
      return Real{1};
    case GemmData::zeros:
      break;
  }
  return Real{0};
}

struct AsF64 {
  using Real = double;
  using Stored = double;
  static __device__ Stored convert(double value, GemmData) { return value; }
};
struct AsF32 {
  using Real = float;
  using Stored = float;
  static __device__ Stored convert(float value, GemmData) { return value; }
};
struct AsF16 {
  using Real = float;
  using Stored = __half;
  static __device__ Stored convert(float value, GemmData) { return __float2half(value); }
};
struct AsBf16 {
  using Real = float;
  using Stored = __nv_bfloat16;
  static __device__ Stored convert(float value, GemmData) { return __float2bfloat16(value); }
};
struct AsE4m3 {
  using Real = float;
  using Stored = __nv_fp8_storage_t;
  static __device__ Stored convert(float value, GemmData) {
    return __nv_cvt_float_to_fp8(value, __NV_SATFINITE, __NV_E4M3);
  }
};
struct AsE5m2 {
  using Real = float;
  using Stored = __nv_fp8_storage_t;
  static __device__ Stored convert(float value, GemmData) {
    return __nv_cvt_float_to_fp8(value, __NV_SATFINITE, __NV_E5M2);
  }
};
struct AsS8 {
  using Real = float;
  using Stored = std::int8_t;
  static __device__ Stored convert(float value, GemmData data) {
    const float scale = data == GemmData::normal ? 32.0f : data == GemmData::uniform ? 127.0f : 1.0f;
    return static_cast<std::int8_t>(fminf(fmaxf(rintf(value * scale), -127.0f), 127.0f));
  }
};

/// Scales of blocks: 0.5 or 1.
struct AsE8m0 {
  using Real = float;
  using Stored = std::uint8_t;
  static __device__ Stored convert(float value, GemmData) { return value < 0 ? 126 : 127; }
};
struct AsE4m3Scale {
  using Real = float;
  using Stored = std::uint8_t;
  static __device__ Stored convert(float value, GemmData) { return value < 0 ? 0x30 : 0x38; }
};

/// The nearest of 0, 0.5, 1, 1.5, 2, 3, 4, 6 with a sign.
__device__ unsigned e2m1_of(float value) {
  const float size = fabsf(value);
  const unsigned code =
      (size > 0.25f) + (size > 0.75f) + (size > 1.25f) + (size > 1.75f) + (size > 2.5f) + (size > 3.5f) + (size > 5.0f);
  return code | (value < 0 ? 8u : 0u);
}

template <class As>
__global__ void fill(typename As::Stored* to, std::uint64_t count, GemmData data, std::uint64_t seed) {
  const std::uint64_t stride = static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
  for (std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
    to[i] = As::convert(value_at<typename As::Real>(i, data, seed), data);
}

__global__ void fill_pairs(std::uint8_t* to, std::uint64_t count, GemmData data, std::uint64_t seed) {
  const std::uint64_t stride = static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
  for (std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += stride)
    to[i] = static_cast<std::uint8_t>(e2m1_of(value_at<float>(2 * i, data, seed)) |
                                      e2m1_of(value_at<float>(2 * i + 1, data, seed)) << 4);
}

template <class Element>
__global__ void gather(Element* to, const Element* from, std::uint64_t first, std::uint64_t stride,
                       std::uint64_t count) {
  const std::uint64_t step = static_cast<std::uint64_t>(gridDim.x) * blockDim.x;
  for (std::uint64_t i = static_cast<std::uint64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
    to[i] = from[first + i * stride];
}

__device__ std::uint64_t global_time() {
  std::uint64_t time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}

__global__ void stamp(ClockStamp* stamps, int units) {
  if (threadIdx.x != 0) return;
  unsigned unit;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(unit));
  if (unit >= static_cast<unsigned>(units)) return;
  stamps[unit] = {static_cast<std::uint64_t>(clock64()), global_time()};
}

__global__ void wait(std::uint64_t nanoseconds) {
  const std::uint64_t end = global_time() + nanoseconds;
  while (global_time() < end) {
#if __CUDA_ARCH__ >= 700
    __nanosleep(200);
#endif
  }
}

template <class As>
void queue_fill(cudaStream_t stream, void* to, std::uint64_t bytes, GemmData data, std::uint64_t seed) {
  using Stored = typename As::Stored;
  fill<As><<<blocks, threads, 0, stream>>>(static_cast<Stored*>(to), bytes / sizeof(Stored), data, seed);
}

template <class Element>
void launch_gather(cudaStream_t stream, void* to, const void* from, std::uint64_t first, std::uint64_t stride,
                   std::uint64_t count) {
  gather<<<64, threads, 0, stream>>>(static_cast<Element*>(to), static_cast<const Element*>(from), first, stride,
                                     count);
}

}  // namespace

cudaError_t queue_values(cudaStream_t stream, void* to, std::uint64_t bytes, OperandFormat format, GemmData data,
                         std::uint64_t seed) {
  switch (format) {
    case OperandFormat::f64:
      queue_fill<AsF64>(stream, to, bytes, data, seed);
      break;
    case OperandFormat::f32:
      queue_fill<AsF32>(stream, to, bytes, data, seed);
      break;
    case OperandFormat::f16:
      queue_fill<AsF16>(stream, to, bytes, data, seed);
      break;
    case OperandFormat::bf16:
      queue_fill<AsBf16>(stream, to, bytes, data, seed);
      break;
    case OperandFormat::e4m3:
      queue_fill<AsE4m3>(stream, to, bytes, data, seed);
      break;
    case OperandFormat::e5m2:
      queue_fill<AsE5m2>(stream, to, bytes, data, seed);
      break;
    case OperandFormat::s8:
      queue_fill<AsS8>(stream, to, bytes, data, seed);
      break;
    case OperandFormat::e8m0_scales:
      queue_fill<AsE8m0>(stream, to, bytes, data, seed);
      break;
    case OperandFormat::e4m3_scales:
      queue_fill<AsE4m3Scale>(stream, to, bytes, data, seed);
      break;
    case OperandFormat::s32:
      return cudaErrorInvalidValue;  // a result's alone
    case OperandFormat::e2m1_pairs:
      fill_pairs<<<blocks, threads, 0, stream>>>(static_cast<std::uint8_t*>(to), bytes, data, seed);
      break;
  }
  return cudaGetLastError();
}

cudaError_t queue_gather(cudaStream_t stream, void* to, const void* from, std::size_t size, std::uint64_t first,
                         std::uint64_t stride, std::uint64_t count) {
  switch (size) {
    case 1:
      launch_gather<std::uint8_t>(stream, to, from, first, stride, count);
      break;
    case 2:
      launch_gather<std::uint16_t>(stream, to, from, first, stride, count);
      break;
    case 4:
      launch_gather<std::uint32_t>(stream, to, from, first, stride, count);
      break;
    case 8:
      launch_gather<std::uint64_t>(stream, to, from, first, stride, count);
      break;
    default:
      return cudaErrorInvalidValue;
  }
  return cudaGetLastError();
}

cudaError_t queue_stamps(cudaStream_t stream, ClockStamp* stamps, int units) {
  stamp<<<static_cast<unsigned>(units), 32, 0, stream>>>(stamps, units);
  return cudaGetLastError();
}

cudaError_t queue_wait(cudaStream_t stream, std::uint64_t nanoseconds) {
  wait<<<1, 1, 0, stream>>>(nanoseconds);
  return cudaGetLastError();
}

}  // namespace shakedown
