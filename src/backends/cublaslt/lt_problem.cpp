// SPDX-License-Identifier: Apache-2.0
#include "backends/cublaslt/lt_problem.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>
#include <utility>

#include "backends/cublaslt/operand_plan.h"

namespace shakedown {
namespace {

/// More than anybody tries.
constexpr int most_offers = 32;
constexpr const char* describing = "describe a product to cuBLASLt";
constexpr const char* asking = "ask cuBLASLt for algorithms";

template <class Value>
void set(cublasLtMatmulDesc_t matmul, cublasLtMatmulDescAttributes_t attribute, Value value, const char* doing) {
  check(cublasLtMatmulDescSetAttribute(matmul, attribute, &value, sizeof value), doing);
}

LtLayout make_layout(cudaDataType_t type, std::uint64_t rows, std::uint64_t columns) {
  cublasLtMatrixLayout_t raw{};
  check(cublasLtMatrixLayoutCreate(&raw, type, rows, columns, static_cast<std::int64_t>(rows)), describing);
  return LtLayout(raw);
}

LtMatmul make_matmul(const LtTypes& types) {
  cublasLtMatmulDesc_t raw{};
  check(cublasLtMatmulDescCreate(&raw, types.compute, types.scale), describing);
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

/// What the hardware multiplies with, so that nobody takes a product on the CUDA cores for one on the tensor cores.
std::uint64_t numerics_of(const cublasLtMatmulAlgo_t& algorithm) {
  std::uint64_t flags = 0;
  std::size_t written = 0;
  const cublasStatus_t status = cublasLtMatmulAlgoCapGetAttribute(&algorithm, CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS,
                                                                  &flags, sizeof flags, &written);
  return status == CUBLAS_STATUS_SUCCESS ? flags : 0;
}

std::string_view unit_name(std::uint64_t numerics) {
  if ((numerics & CUBLASLT_NUMERICAL_IMPL_FLAGS_HMMA) != 0) return "hmma";
  if ((numerics & CUBLASLT_NUMERICAL_IMPL_FLAGS_IMMA) != 0) return "imma";
  if ((numerics & CUBLASLT_NUMERICAL_IMPL_FLAGS_DMMA) != 0) return "dmma";
  if ((numerics & CUBLASLT_NUMERICAL_IMPL_FLAGS_FMA) != 0) return "fma";
  return "unit unknown";
}

/// The whole configuration, so that two algorithms of one name are one; the numbers are cublasLt.h's enumerators.
std::string name_algorithm(const cublasLtMatmulAlgo_t& algorithm) {
  std::string name{unit_name(numerics_of(algorithm))};
  name += attribute_text<std::int32_t>("id ", algorithm, CUBLASLT_ALGO_CONFIG_ID);
  name += attribute_text<std::uint32_t>("tile ", algorithm, CUBLASLT_ALGO_CONFIG_TILE_ID);
  name += attribute_text<std::uint32_t>("stages ", algorithm, CUBLASLT_ALGO_CONFIG_STAGES_ID);
  name += attribute_text<std::uint16_t>("inner ", algorithm, CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID);
  name += attribute_text<std::uint16_t>("cluster ", algorithm, CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID);
  name += attribute_text<std::int32_t>("split-K ", algorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM);
  name += attribute_text<std::uint32_t>("reduction ", algorithm, CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME);
  name += attribute_text<std::uint32_t>("swizzle ", algorithm, CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING);
  name += attribute_text<std::uint32_t>("custom ", algorithm, CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION);
  return name;
}

bool has_block_scales(GemmType type) { return type == GemmType::mxfp8 || type == GemmType::nvfp4; }

void set_scale_mode([[maybe_unused]] cublasLtMatmulDesc_t matmul, [[maybe_unused]] GemmType type) {
#if CUDART_VERSION >= 12080
  const auto mode =
      type == GemmType::mxfp8 ? CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0 : CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3;
  set(matmul, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, mode, describing);
  set(matmul, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, mode, describing);
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
  throw Error(fmt::format("describe a product of {} to cuBLASLt: {}", name_of(kind.type), toolkit_refusal(kind.type)));
}

std::string toolkit_refusal([[maybe_unused]] GemmType type) {
#if CUDART_VERSION < 12080
  if (has_block_scales(type))
    return fmt::format("{} needs the CUDA Toolkit 12.8 or newer, and this build has an older one", name_of(type));
#endif
  return {};
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

LtProblem::LtProblem(cublasLtHandle_t handle, const GemmKind& kind, const GemmShape& shape)
    : handle_(handle),
      kind_(kind),
      shape_(shape),
      scalars_(lt_types_of(kind).scale),
      matmul_(make_matmul(lt_types_of(kind))) {
  const LtTypes types = lt_types_of(kind);
  const bool at = a_transposed(kind.layout);
  const bool bt = b_transposed(kind.layout);
  set(matmul_.get(), CUBLASLT_MATMUL_DESC_TRANSA, at ? CUBLAS_OP_T : CUBLAS_OP_N, describing);
  set(matmul_.get(), CUBLASLT_MATMUL_DESC_TRANSB, bt ? CUBLAS_OP_T : CUBLAS_OP_N, describing);
  if (kind.accumulation == Accumulation::fast)
    set(matmul_.get(), CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{1}, describing);
  if (has_block_scales(kind.type)) set_scale_mode(matmul_.get(), kind.type);
  a_ = at ? make_layout(types.a, shape.k, shape.m) : make_layout(types.a, shape.m, shape.k);
  b_ = bt ? make_layout(types.b, shape.n, shape.k) : make_layout(types.b, shape.k, shape.n);
  d_ = make_layout(types.d, shape.m, shape.n);
  // The heuristic refuses block-scaled types without scales, and does not read them.
  set_scales(&scalars_, &scalars_);
  ask_for_offers();
}

void LtProblem::ask_for_offers() {
  cublasLtMatmulPreference_t raw{};
  check(cublasLtMatmulPreferenceCreate(&raw), asking);
  const LtPreference preference(raw);
  const std::size_t workspace = workspace_bytes;  // its default is none at all
  check(
      cublasLtMatmulPreferenceSetAttribute(raw, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace, sizeof workspace),
      asking);
  std::array<cublasLtMatmulHeuristicResult_t, most_offers> found{};
  int count = 0;
  const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(handle_, matmul_.get(), a_.get(), b_.get(), d_.get(),
                                                               d_.get(), raw, most_offers, found.data(), &count);
  if (status != CUBLAS_STATUS_SUCCESS) return;  // no algorithm is an answer, not a failure
  for (int i = 0; i < count; ++i) {
    const auto& one = found[static_cast<std::size_t>(i)];
    if (one.state != CUBLAS_STATUS_SUCCESS) continue;
    const bool is_tf32 = (numerics_of(one.algo) & CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_TF32) != 0;
    if (kind_.type == GemmType::float32 && is_tf32) continue;
    std::string name = name_algorithm(one.algo);
    const bool known =
        std::any_of(offers_.begin(), offers_.end(), [&](const Offer& other) { return other.name == name; });
    if (!known) offers_.push_back({one.algo, std::move(name), static_cast<double>(one.wavesCount), one.workspaceSize});
  }
}

void LtProblem::set_scales([[maybe_unused]] const void* a, [[maybe_unused]] const void* b) {
  if (!has_block_scales(kind_.type)) return;
#if CUDART_VERSION >= 12080
  set(matmul_.get(), CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, a, describing);
  set(matmul_.get(), CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, b, describing);
#endif
}

void LtProblem::validate(std::size_t offer) const {
  cublasLtMatmulHeuristicResult_t answer{};
  check(cublasLtMatmulAlgoCheck(handle_, matmul_.get(), a_.get(), b_.get(), d_.get(), d_.get(),
                                &offers_.at(offer).algorithm, &answer),
        fmt::format("prepare {} with {}", format_shape(shape_), offers_.at(offer).name));
}

cublasStatus_t LtProblem::run(std::size_t offer, const void* a, const void* b, void* d, void* workspace,
                              cudaStream_t stream) const {
  return cublasLtMatmul(handle_, matmul_.get(), scalars_.one, a, a_.get(), b, b_.get(), scalars_.zero, d, d_.get(), d,
                        d_.get(), &offers_[offer].algorithm, workspace, workspace_bytes, stream);
}

}  // namespace shakedown
