// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "shakedown/model/gemm_report.h"

/// Hand-made reports of mamf_finder that renderers are tested with.
namespace shakedown::samples {

/// A verified result whose samples took these seconds a product.
GemmResult gemm_result(const GemmShape& shape, GemmMode mode, const std::vector<double>& samples);

/// A complete search on one GPU: burst and sustained, drifting and held by the power cap.
GemmReport gemm_search();
/// Asked shapes on one GPU: good, skipped, failed, not verified, remarked.
GemmReport gemm_shapes();
/// int8 on a CPU, whose peak is an estimate and whose clock is not known.
GemmReport gemm_cpu();
/// Eight GPUs of one host, of which number 3 is weak.
GemmReport gemm_devices();
/// The products of a transformer, all measured.
GemmReport gemm_suite();
/// Two kinds and mamf-v2, on a GPU that no catalogue knows.
GemmReport gemm_two_kinds();
/// gemm_search(), stopped before anything was measured whole.
GemmReport gemm_interrupted();

}  // namespace shakedown::samples
