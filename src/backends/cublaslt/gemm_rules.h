// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "shakedown/base/gemm_kind.h"

namespace shakedown {

/// Why a GPU of this compute capability (90 for 9.0) can't multiply this kind through cuBLASLt; empty when it can.
/// Source: cuBLAS 13 documentation, cublasLtMatmul's table of supported types.
std::string gpu_kind_refusal(const GemmKind& kind, int compute_capability);

/// The rule that the shape breaks, in words; empty when it keeps them all. The kind must be supported.
std::string gpu_shape_refusal(const GemmKind& kind, const GemmShape& shape);

}  // namespace shakedown
