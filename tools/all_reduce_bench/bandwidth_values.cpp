// SPDX-License-Identifier: Apache-2.0
#include "bandwidth_values.h"

#include <fmt/format.h>

#include "option_values.h"
#include "shakedown/base/error.h"
#include "shakedown/base/size_text.h"

namespace shakedown {

Bytes parse_gib(const std::string& text, const std::string& option) {
  // The same grammar as every size, with GiB as the unit: "0.5" is 512 MiB.
  if (text.empty() || text.find_first_not_of("0123456789.") != std::string::npos)
    throw UsageError(fmt::format("{}: '{}' is no number of GiB, e.g. 0.5 or 4", option, text));
  const Bytes size = parse_size(text + "GiB", option);
  if (size.count == 0)
    throw UsageError(fmt::format("{}: '{}' is nothing to measure; give a number above 0", option, text));
  return size;
}

DataType parse_dtype_option(const std::string& text) {
  if (const auto type = parse_data_type(text)) return *type;
  std::string known;
  for (const DataType type : all_data_types()) known += fmt::format("{}{}", known.empty() ? "" : ", ", name_of(type));
  throw UsageError(fmt::format(
      "--dtype: '{}' is not known; one of {} (names of PyTorch, NumPy and nccl-tests are taken, too)", text, known));
}

Timing parse_timing(const std::string& text) {
  for (const Timing timing : {Timing::pipelined, Timing::blocking, Timing::graph})
    if (text == name_of(timing)) return timing;
  throw UsageError(fmt::format("--timing: '{}' is not one of pipelined, blocking, graph", text));
}

MinimumBusbw parse_min_busbw(const std::string& text) {
  const std::size_t at = text.find('@');
  MinimumBusbw minimum{.value = BytesPerSecond{1e9 * parse_number(text.substr(0, at), "--min-busbw", 0, 1e9)},
                       .at = std::nullopt};
  if (at != std::string::npos) minimum.at = parse_size(text.substr(at + 1), "--min-busbw");
  return minimum;
}

}  // namespace shakedown
