// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace shakedown {

/// D (m x n) = A (m x k) times B (k x n).
struct GemmShape {
  std::uint64_t m{}, n{}, k{};
  auto operator<=>(const GemmShape&) const = default;
};

/// "2048x4096x15360", as m x n x k.
std::string format_shape(const GemmShape& shape);

/// What a matrix product computes with; wider than DataType, since tfloat32 and the block-scaled types are ways to
/// multiply and no types of an element in memory.
enum class GemmType : std::uint8_t {
  float64,
  float32,   ///< true float32, never TF32
  tfloat32,  ///< float32 in memory, TF32 in the tensor cores
  float16,
  bfloat16,
  float8_e4m3fn,  ///< both A and B
  float8_e5m2,    ///< A is e5m2 and B e4m3fn
  int8,
  mxfp8,  ///< e4m3fn with a scale for each 32 elements
  nvfp4,  ///< e2m1 with a scale for each 16 elements
};

/// Every GemmType, in the order in which --help lists them.
std::span<const GemmType> all_gemm_types();

/// The canonical name, e.g. "tfloat32".
std::string_view name_of(GemmType type);

/// The type that a name of PyTorch, NumPy or nccl-tests means ("torch.bfloat16", "bf16", "half", "tf32", "fp8" ...), in
/// any case; nothing when the name is not known.
std::optional<GemmType> parse_gemm_type(std::string_view name);

/// What the products are summed in.
enum class Accumulation : std::uint8_t {
  standard,  ///< float64 for float64, int32 for int8, else float32
  fast,      ///< float8 types alone: without the periodic promotion to float32
  half,      ///< float16 alone: float16
};
std::string_view name_of(Accumulation accumulation);

/// Which operands are transposed, in BLAS's terms: TN has both contiguous along k.
enum class GemmLayout : std::uint8_t { tn, nn, nt, tt };
/// "TN" ...
std::string_view name_of(GemmLayout layout);

/// Which kind of product is measured; figures of two kinds are never compared.
struct GemmKind {
  GemmType type{GemmType::bfloat16};
  Accumulation accumulation{Accumulation::standard};
  GemmLayout layout{GemmLayout::tn};
  bool operator==(const GemmKind&) const = default;
};

/// "bfloat16", "float8_e4m3fn, fast accumulation", "float16, float16 accumulation, NN": the kind for people.
std::string describe(const GemmKind& kind);

/// The type of D: "float32" for tfloat32, "bfloat16" for the types of 8 and fewer bits, "int32" for int8.
std::string_view output_name_of(GemmType type);

/// Bits of one element of A (or B) and bytes of one of D; a scale is not counted.
std::size_t input_bits_of(GemmType type);
std::size_t output_size_of(GemmType type);

/// "TFLOPS", or "TOPS" for int8.
std::string_view rate_unit_of(GemmType type);

/// What the inputs hold; it decides power, and so speed.
enum class GemmData : std::uint8_t { normal, uniform, integers, zeros, ones };
std::string_view name_of(GemmData data);

}  // namespace shakedown
