// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "shakedown/base/dtype.h"
#include "shakedown/base/exit_code.h"
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
struct Options {
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
  std::vector<std::string> require;

  std::string backend{"auto"};
  std::optional<int> ranks;
  std::optional<int> gpus_per_process;  ///< -g of nccl-tests; by hand the number of ranks
  std::optional<std::string> hosts;
  std::optional<std::string> hostfile;
  bool share_gpu{false};

  std::optional<std::string> json;  ///< "-" is stdout
  std::optional<std::string> output_file;
  std::string notes;
  bool quiet{false};
  bool dry_run{false};
  Seconds timeout{60};
};

/// What to print and how to leave when the command line asks for no run.
struct EarlyExit {
  ExitCode code{ExitCode::ok};
  std::string out;  ///< for stdout: --help, --version
  std::string err;  ///< for stderr: what was given, what is allowed
};

/// Reads the arguments, the program's name left out. Never exits and never prints.
std::variant<Options, EarlyExit> parse_options(const std::vector<std::string>& arguments, const std::string& version);

}  // namespace shakedown
