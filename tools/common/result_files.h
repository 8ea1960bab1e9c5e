// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "common_options.h"
#include "shakedown/app/result_writer.h"

namespace shakedown {

/// Proves that the result files can be written. Throws UsageError.
ResultWriter::Targets open_files(const CommonOptions& options);

}  // namespace shakedown
