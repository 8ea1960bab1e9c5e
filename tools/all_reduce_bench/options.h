// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "common_options.h"
#include "early_exit.h"
#include "shakedown/base/dtype.h"
#include "shakedown/base/units.h"
#include "shakedown/model/collective_report.h"

namespace shakedown {

/// A bandwidth that is asked for, at one payload or at the best row.
struct MinimumBusbw {
  BytesPerSecond value;
  std::optional<Bytes> at;
};

/// What the command line said, checked as far as one process can check it. Defaults that depend on the backend stay
/// open.
struct Options : CommonOptions {
  std::optional<Bytes> min_bytes;
  std::optional<Bytes> max_bytes;
  std::optional<double> step_factor;
  std::optional<Bytes> step_bytes;
  std::optional<Bytes> payload;  ///< --payload-size-in-gib
  int iterations{20};
  int warmups{5};
  DataType dtype{DataType::float32};
  Timing timing{Timing::pipelined};
  bool in_place{false};
  bool check{true};
  bool profile_stability{false};
  std::optional<MinimumBusbw> min_busbw;

  std::optional<int> ranks;
  std::optional<int> gpus_per_process;  ///< -g of nccl-tests; by hand the number of ranks
  std::optional<std::string> hosts;
  std::optional<std::string> hostfile;
  bool share_gpu{false};
};

/// Reads the arguments, the program's name left out. Never exits and never prints.
std::variant<Options, EarlyExit> parse_options(const std::vector<std::string>& arguments, const std::string& version);

}  // namespace shakedown
