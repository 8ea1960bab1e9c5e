// SPDX-License-Identifier: Apache-2.0
#include "backends/cublaslt/lt_problem.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace shakedown {
namespace {

/// More than anybody tries; the heuristic takes microseconds.
constexpr int most_offers = 32;

template <class Value>
void set(cublasLtMatmulDesc_t matmul, cublasLtMatmulDescAttributes_t attribute, Value value, const char* doing) {
  check(cublasLtMatmulDescSetAttribute(matmul, attribute, &value, sizeof value), doing);
}

LtLayout make_layout(cudaDataType_t type, std::uint64_t rows, std::uint64_t columns) {
  cublasLtMatrixLayout_t raw{};
  check(cublasLtMatrixLayoutCreate(&raw, type, rows, columns, static_cast<std::int64_t>(rows)),
        "describe a matrix to cuBLASLt");
  return LtLayout(raw);
}

LtMatmul make_matmul(const LtTypes& types) {
  cublasLtMatmulDesc_t raw{};
  check(cublasLtMatmulDescCreate(&raw, types.compute, types.scale), "describe a product to cuBLASLt");
  return LtMatmul(raw);
}

bool a_transposed(GemmLayout layout) { return layout == GemmLayout::tn || layout == GemmLayout::tt; }
bool b_transposed(GemmLayout layout) { return layout == GemmLayout::nt || layout == GemmLayout::tt; }

template <class Value>
std::string attribute_text(const char* name, const cublasLtMatmulAlgo_t& algorithm,
                           cublasLtMatmulAlgoConfigAttributes_t attribute) {
  Value value{};
  std::size_t written = 0;
  if (cublasLtMatmulAlgoConfigGetAttribute(&algorithm, attribute, &value, sizeof value, &written) !=
      CUBLAS_STATUS_SUCCESS)
    return {};
  return fmt::format(" {}{}", name, value);
}

/// The whole configuration, so that two algorithms of one name are one; the numbers are cublasLt.h's enumerators.
std::string name_algorithm(const cublasLtMatmulAlgo_t& algorithm) {
  std::string name = "cublaslt";
  name += attribute_text<std::int32_t>("id", algorithm, CUBLASLT_ALGO_CONFIG_ID);
  name += attribute_text<std::uint32_t>("tile", algorithm, CUBLASLT_ALGO_CONFIG_TILE_ID);
  name += attribute_text<std::uint32_t>("stages", algorithm, CUBLASLT_ALGO_CONFIG_STAGES_ID);
  name += attribute_text<std::uint16_t>("cluster", algorithm, CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID);
  name += attribute_text<std::uint16_t>("inner", algorithm, CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID);
  name += attribute_text<std::int32_t>("splitk", algorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM);
  name += attribute_text<std::uint32_t>("reduction", algorithm, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME);
  name += attribute_text<std::uint32_t>("swizzle", algorithm, CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING);
  name += attribute_text<std::uint32_t>("custom", algorithm, CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION);
  return name;
}

void set_block_scales([[maybe_unused]] cublasLtMatmulDesc_t matmul, [[maybe_unused]] GemmType type,
                      [[maybe_unused]] const void* a_scales, [[maybe_unused]] const void* b_scales) {
#if CUDART_VERSION >= 12080
  const auto mode =
      type == GemmType::mxfp8 ? CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0 : CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3;
  constexpr const char* doing = "give cuBLASLt the scales of the blocks";
  set(matmul, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, mode, doing);
  set(matmul, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, mode, doing);
  set(matmul, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, a_scales, doing);
  set(matmul, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, b_scales, doing);
#endif
}

}  // namespace

LtTypes lt_types_of(const GemmKind& kind) {
  switch (kind.type) {
    case GemmType::float64:
      return {CUDA_R_64F, CUDA_R_64F, CUDA_R_64F, CUBLAS_COMPUTE_64F, CUDA_R_64F};
    case GemmType::float32:
      // Pedantic: no TF32 and no emulation, whatever the environment says.
      return {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_PEDANTIC, CUDA_R_32F};
    case GemmType::tfloat32:
      return {CUDA_R_32F, CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F};
    case GemmType::float16:
      if (kind.accumulation == Accumulation::half)
        return {CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_16F, CUDA_R_16F};
      return {CUDA_R_16F, CUDA_R_16F, CUDA_R_16F, CUBLAS_COMPUTE_32F, CUDA_R_32F};
    case GemmType::bfloat16:
      return {CUDA_R_16BF, CUDA_R_16BF, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F};
    case GemmType::float8_e4m3fn:
    case GemmType::mxfp8:
      return {CUDA_R_8F_E4M3, CUDA_R_8F_E4M3, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F};
    case GemmType::float8_e5m2:
      return {CUDA_R_8F_E5M2, CUDA_R_8F_E4M3, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F};
    case GemmType::int8:
      return {CUDA_R_8I, CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, CUDA_R_32I};
    case GemmType::nvfp4:
#if CUDART_VERSION >= 12080
      return {CUDA_R_4F_E2M1, CUDA_R_4F_E2M1, CUDA_R_16BF, CUBLAS_COMPUTE_32F, CUDA_R_32F};
#else
      break;
#endif
  }
  throw Error(fmt::format("multiply {}: this build's CUDA Toolkit is too old for it; build with 12.8 or newer",
                          name_of(kind.type)));
}

LtScalars::LtScalars(cudaDataType_t scale) {
  const auto put = [this](auto value) { std::memcpy(one, &value, sizeof value); };
  if (scale == CUDA_R_64F)
    put(1.0);
  else if (scale == CUDA_R_16F)
    put(std::uint16_t{0x3C00});
  else if (scale == CUDA_R_32I)
    put(std::int32_t{1});
  else
    put(1.0F);
}

LtProblem::LtProblem(cublasLtHandle_t handle, const GemmKind& kind, const GemmShape& shape, std::size_t workspace,
                     const void* a_scales, const void* b_scales)
    : handle_(handle), shape_(shape), scalars_(lt_types_of(kind).scale), matmul_(make_matmul(lt_types_of(kind))) {
  const LtTypes types = lt_types_of(kind);
  const bool at = a_transposed(kind.layout);
  const bool bt = b_transposed(kind.layout);
  constexpr const char* doing = "describe a product to cuBLASLt";
  set(matmul_.get(), CUBLASLT_MATMUL_DESC_TRANSA, at ? CUBLAS_OP_T : CUBLAS_OP_N, doing);
  set(matmul_.get(), CUBLASLT_MATMUL_DESC_TRANSB, bt ? CUBLAS_OP_T : CUBLAS_OP_N, doing);
  if (kind.accumulation == Accumulation::fast)
    set(matmul_.get(), CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{1}, doing);
  if (kind.type == GemmType::mxfp8 || kind.type == GemmType::nvfp4)
    set_block_scales(matmul_.get(), kind.type, a_scales, b_scales);
  a_ = at ? make_layout(types.a, shape.k, shape.m) : make_layout(types.a, shape.m, shape.k);
  b_ = bt ? make_layout(types.b, shape.n, shape.k) : make_layout(types.b, shape.k, shape.n);
  d_ = make_layout(types.d, shape.m, shape.n);

  cublasLtMatmulPreference_t raw{};
  check(cublasLtMatmulPreferenceCreate(&raw), "ask cuBLASLt for algorithms");
  const LtPreference preference(raw);
  check(
      cublasLtMatmulPreferenceSetAttribute(raw, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace, sizeof workspace),
      "ask cuBLASLt for algorithms");
  std::array<cublasLtMatmulHeuristicResult_t, most_offers> found{};
  int count = 0;
  const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(handle_, matmul_.get(), a_.get(), b_.get(), d_.get(),
                                                               d_.get(), raw, most_offers, found.data(), &count);
  // No algorithm is an answer, not a failure.
  if (status != CUBLAS_STATUS_SUCCESS) count = 0;
  for (int i = 0; i < count; ++i) {
    const auto& one = found[static_cast<std::size_t>(i)];
    if (one.state != CUBLAS_STATUS_SUCCESS) continue;
    std::string name = name_algorithm(one.algo);
    const bool known =
        std::any_of(offers_.begin(), offers_.end(), [&](const Offer& other) { return other.name == name; });
    if (!known) offers_.push_back({one.algo, std::move(name), static_cast<double>(one.wavesCount), one.workspaceSize});
  }
}

void LtProblem::validate(std::size_t offer) const {
  cublasLtMatmulHeuristicResult_t answer{};
  check(cublasLtMatmulAlgoCheck(handle_, matmul_.get(), a_.get(), b_.get(), d_.get(), d_.get(),
                                &offers_.at(offer).algorithm, &answer),
        fmt::format("prepare {} with {}", format_shape(shape_), offers_.at(offer).name));
}

cublasStatus_t LtProblem::run(std::size_t offer, const void* a, const void* b, void* d, void* workspace,
                              std::size_t workspace_size, cudaStream_t stream) const {
  return cublasLtMatmul(handle_, matmul_.get(), scalars_.one, a, a_.get(), b, b_.get(), scalars_.zero, d, d_.get(), d,
                        d_.get(), &offers_[offer].algorithm, workspace, workspace_size, stream);
}

}  // namespace shakedown
