// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "report/shared_sections.h"
#include "shakedown/report/render_gemm.h"

namespace shakedown {

/// The parts of mamf_finder's text report, in the order in which they appear; those that all tools share follow. Each
/// is whole lines, or empty where it has nothing to say.

/// What is measured, with what, and how.
std::string gemm_heading_text(const GemmReport& report, TextStyle style);
/// A row a result. The text for more rows starts with the text for fewer.
std::string gemm_table_text(const GemmReport& report, TextStyle style);
/// What must be said of single rows.
std::string gemm_row_notes_text(const GemmReport& report, TextStyle style);
/// How many shapes were looked at; of asked shapes the best by each statistic, and their means.
std::string gemm_tried_text(const GemmReport& report, TextStyle style);
/// The headline figures of each kind and device, beside the peaks.
std::string gemm_best_text(const GemmReport& report, TextStyle style);
/// The same product on each device.
std::string gemm_spreads_text(const GemmReport& report, TextStyle style);
/// The products of a transformer, and the figure to hold its MFU against.
std::string gemm_suite_text(const GemmReport& report, TextStyle style);
/// What the words mean.
std::string gemm_legend_text(const GemmReport& report, TextStyle style);

/// What is known of the peaks of one entry: "132 SMs x 4096 FLOPs/clock/SM x 1830 MHz = 989.4 TFLOPS dense (NVIDIA H200
/// datasheet)", then those at the maximum clock and at the clocks that were measured.
std::string gemm_peak_text(const BestGemm& best, TextStyle style);

}  // namespace shakedown
