// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "shakedown/model/gemm_report.h"
#include "shakedown/report/text_style.h"

namespace shakedown {

/// The heading and the results so far, printed while they come: the text for more results starts with the text for
/// fewer, so column widths and columns depend on the header, the protocol and the context alone. The device column is
/// there when the context has several ranks, the kind column when the protocol has several kinds.
std::string render_table(const GemmReport& report, TextStyle style);

/// render_table, then what the shapes say together, the headline figures beside the peaks, devices, the transformer,
/// the legend, the environment and the verdict.
std::string render_text(const GemmReport& report, TextStyle style);

/// One JSON document (schema_version 1), ended by a newline; unknown values are null.
std::string render_json(const GemmReport& report);

}  // namespace shakedown
