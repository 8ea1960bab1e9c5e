// SPDX-License-Identifier: Apache-2.0
#include "backends/onednn/onednn_api.h"

#include <fmt/format.h>

#include "shakedown/hw/gemm_peak.h"

namespace shakedown {
namespace {

[[noreturn]] void refuse_order() {
  throw dnnl::error(dnnl_unimplemented, "the library keeps this matrix in an order that can't be filled from outside");
}

}  // namespace

std::size_t BlockedOrder::index(std::size_t row, std::size_t column) const {
  std::array<std::size_t, 2> rest{row, column};
  std::size_t inner = 0;
  std::size_t size = 1;
  for (auto block = blocks.rbegin(); block != blocks.rend(); ++block) {
    inner += rest[block->dimension] % block->size * size;
    rest[block->dimension] /= block->size;
    size *= block->size;
  }
  return rest[0] * strides[0] + rest[1] * strides[1] + inner;
}

#if DNNL_VERSION_MAJOR >= 3

dnnl::matmul::primitive_desc describe_product(const dnnl::engine& engine, const dnnl::memory::desc& a,
                                              const dnnl::memory::desc& b, const dnnl::memory::desc& d) {
  dnnl::primitive_attr attributes;
  attributes.set_fpmath_mode(dnnl::fpmath_mode::strict);
  return dnnl::matmul::primitive_desc(engine, a, b, d, attributes);
}

BlockedOrder order_of(const dnnl::memory::desc& matrix) {
  if (matrix.get_format_kind() != dnnl::memory::format_kind::blocked) refuse_order();
  BlockedOrder order;
  const auto padded = matrix.get_padded_dims();
  const auto strides = matrix.get_strides();
  for (std::size_t i = 0; i < 2; ++i) {
    order.strides[i] = static_cast<std::size_t>(strides[i]);
  }
  const auto dimensions = matrix.get_inner_idxs();
  const auto sizes = matrix.get_inner_blks();
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    order.blocks.push_back({static_cast<std::size_t>(dimensions[i]), static_cast<std::size_t>(sizes[i])});
  }
  const auto elements = static_cast<std::size_t>(padded[0] * padded[1]);
  if (matrix.get_size() > elements * dnnl::memory::data_type_size(matrix.get_data_type())) refuse_order();
  return order;
}

#else

dnnl::matmul::primitive_desc describe_product(const dnnl::engine& engine, const dnnl::memory::desc& a,
                                              const dnnl::memory::desc& b, const dnnl::memory::desc& d) {
  dnnl::primitive_attr attributes;
  attributes.set_fpmath_mode(dnnl::fpmath_mode::strict);
  return {dnnl::matmul::desc(a, b, d), attributes, engine};
}

BlockedOrder order_of(const dnnl::memory::desc& matrix) {
  const dnnl_memory_desc_t& data = matrix.data;
  if (data.format_kind != dnnl_blocked || data.extra.flags != 0) refuse_order();
  const dnnl_blocking_desc_t& blocking = data.format_desc.blocking;
  BlockedOrder order;
  for (std::size_t i = 0; i < 2; ++i) {
    order.strides[i] = static_cast<std::size_t>(blocking.strides[i]);
  }
  for (int i = 0; i < blocking.inner_nblks; ++i) {
    order.blocks.push_back(
        {static_cast<std::size_t>(blocking.inner_idxs[i]), static_cast<std::size_t>(blocking.inner_blks[i])});
  }
  return order;
}

#endif

std::string instruction_set() {
  switch (static_cast<dnnl_cpu_isa_t>(dnnl::get_effective_cpu_isa())) {
    case dnnl_cpu_isa_sse41:
      return "sse41";
    case dnnl_cpu_isa_avx:
      return "avx";
    case dnnl_cpu_isa_avx2:
      return "avx2";
    case dnnl_cpu_isa_avx2_vnni:
      return "avx2_vnni";
    case dnnl_cpu_isa_avx512_core:
      return "avx512_core";
    case dnnl_cpu_isa_avx512_core_vnni:
      return "avx512_core_vnni";
    case dnnl_cpu_isa_avx512_core_bf16:
      return "avx512_core_bf16";
    case dnnl_cpu_isa_avx512_core_amx:
      return "avx512_core_amx";
#if DNNL_VERSION_MAJOR >= 3
    case dnnl_cpu_isa_avx2_vnni_2:
      return "avx2_vnni_2";
    case dnnl_cpu_isa_avx512_core_fp16:
      return "avx512_core_fp16";
    case dnnl_cpu_isa_avx512_core_amx_fp16:
      return "avx512_core_amx_fp16";
#endif
    default:
      return "the processor's own";  // Arm, or newer than this build
  }
}

bool has_bfloat16_instructions() {
  const CpuFacts cpu = read_cpu_facts();
  const auto uses = static_cast<unsigned>(dnnl::get_effective_cpu_isa());
  constexpr auto needed = static_cast<unsigned>(dnnl_cpu_isa_avx512_core_bf16);
  if (cpu.arm_bf16) return true;
  return (cpu.avx512_bf16 || cpu.amx_bf16) && (uses & needed) == needed;  // each set's bits hold those below it
}

std::string onednn_version() {
  const dnnl_version_t* version = dnnl_version();
  return fmt::format("{}.{}.{}", version->major, version->minor, version->patch);
}

}  // namespace shakedown
