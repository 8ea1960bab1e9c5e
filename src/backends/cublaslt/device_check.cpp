// SPDX-License-Identifier: Apache-2.0
#include "backends/cublaslt/device_check.h"

#include <algorithm>
#include <array>
#include <random>
#include <span>
#include <vector>

#include "backends/cublaslt/gemm_tolerance.h"
#include "backends/cublaslt/operand_format.h"
#include "backends/cublaslt/operand_kernels.h"
#include "backends/cublaslt/operand_plan.h"
#include "backends/cuda/cuda_check.h"
#include "backends/cuda/open_gpu.h"

namespace shakedown {
namespace {

constexpr const char* doing = "read a product back from the GPU";

/// Reads rows of op(A) and columns of op(B) as numbers, scales applied.
class RowReader {
 public:
  RowReader(cudaStream_t stream, const GemmKind& kind, const GemmShape& shape)
      : stream_(stream), formats_(formats_of(kind.type)), k_(shape.k) {
    const std::size_t bytes = k_ * std::max(size_of(formats_.a), size_of(formats_.b));
    scratch_ = device_memory(bytes, "allocate a row of a matrix on the GPU");
    bytes_.resize(bytes);
  }

  /// Number `outer` of `outers` rows of k elements each, contiguous along k or not.
  std::vector<double> read(const std::byte* matrix, OperandFormat format, const std::byte* scales, std::uint64_t outer,
                           std::uint64_t outers, bool contiguous) {
    const std::uint64_t count = format == OperandFormat::e2m1_pairs ? k_ / 2 : k_;
    const std::uint64_t first = contiguous ? outer * count : outer;
    std::vector<double> values = gather(matrix, format, first, contiguous ? 1 : outers, count);
    if (scales != nullptr && formats_.scales) apply_scales(values, scales, outer);
    return values;
  }

 private:
  std::vector<double> gather(const std::byte* from, OperandFormat format, std::uint64_t first, std::uint64_t stride,
                             std::uint64_t count) {
    const std::size_t size = size_of(format);
    check(queue_gather(stream_, scratch_.get(), from, size, first, stride, count), doing);
    check(cudaMemcpyAsync(bytes_.data(), scratch_.get(), count * size, cudaMemcpyDeviceToHost, stream_), doing);
    check(cudaStreamSynchronize(stream_), doing);
    return decode(format, std::span(bytes_).first(count * size));
  }

  void apply_scales(std::vector<double>& values, const std::byte* scales, std::uint64_t outer) {
    const std::uint64_t blocks = (k_ + formats_.block - 1) / formats_.block;
    for (std::uint64_t block = 0; block < blocks; ++block) {
      const double scale = gather(scales, *formats_.scales, scale_offset(outer, block, blocks), 1, 1).front();
      const std::uint64_t end = std::min<std::uint64_t>(values.size(), (block + 1) * formats_.block);
      for (std::uint64_t i = block * formats_.block; i < end; ++i) values[i] *= scale;
    }
  }

  cudaStream_t stream_;
  KindFormats formats_;
  std::uint64_t k_;
  UniqueMemory scratch_;
  std::vector<std::byte> bytes_;
};

double read_element(cudaStream_t stream, const std::byte* d, OperandFormat format, std::uint64_t index) {
  std::array<std::byte, 8> bytes{};  // the longest element
  const std::size_t size = size_of(format);
  check(cudaMemcpyAsync(bytes.data(), d + index * size, size, cudaMemcpyDeviceToHost, stream), doing);
  check(cudaStreamSynchronize(stream), doing);
  return decode(format, std::span(bytes).first(size)).front();
}

}  // namespace

void queue_poison(cudaStream_t stream, GemmType type, const GemmShape& shape, std::byte* d) {
  const int poison = type == GemmType::int8 ? 0x80 : 0xFF;
  check(cudaMemsetAsync(d, poison, shape.m * shape.n * output_size_of(type), stream), "poison a result on the GPU");
}

GemmVerification check_product(cudaStream_t stream, const GemmKind& kind, const GemmShape& shape,
                               const DeviceOperands& operands, int samples, std::uint64_t seed) {
  const std::array<std::array<std::uint64_t, 2>, 4> corners{
      {{0, 0}, {shape.m - 1, shape.n - 1}, {0, shape.n - 1}, {shape.m - 1, 0}}};
  const KindFormats formats = formats_of(kind.type);
  const bool a_along_k = kind.layout == GemmLayout::tn || kind.layout == GemmLayout::tt;
  const bool b_along_k = kind.layout == GemmLayout::tn || kind.layout == GemmLayout::nn;
  RowReader reader(stream, kind, shape);
  std::mt19937_64 random{seed};
  GemmVerification verification;
  for (int sample = 0; sample < samples; ++sample) {
    const auto index = static_cast<std::size_t>(sample);
    const std::uint64_t row = index < corners.size() ? corners[index][0] : random() % shape.m;
    const std::uint64_t column = index < corners.size() ? corners[index][1] : random() % shape.n;
    const std::vector<double> a = reader.read(operands.a, formats.a, operands.a_scales, row, shape.m, a_along_k);
    const std::vector<double> b = reader.read(operands.b, formats.b, operands.b_scales, column, shape.n, b_along_k);
    const ReferenceSum reference = reference_sum(a, b);
    judge(verification, {.row = row,
                         .column = column,
                         .got = read_element(stream, operands.d, formats.d, row + column * shape.m),
                         .expected = static_cast<double>(reference.sum),
                         .allowed = allowed_error(kind, reference),
                         .largest = largest_of(formats.d)});
  }
  return verification;
}

}  // namespace shakedown
