// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "options.h"
#include "shakedown/bench/gemm_bench.h"

namespace shakedown {

/// The shapes that the command line names, and what an earlier run has of them.
struct AskedShapes {
  std::vector<GemmShape> shapes;    ///< of a sweep
  std::vector<NamedGemm> suite;     ///< of a model or a shape file
  std::string suite_description;    ///< what the suite is, in words
  std::vector<GemmResult> earlier;  ///< of --resume, any kind, mode and device
};

/// Reads the files that the options name. Throws UsageError; also for more shapes than a run can hold.
AskedShapes asked_shapes(const Options& options);

/// The protocol with every number filled in.
GemmProtocol plan_protocol(const Options& options, bool on_gpu, const std::vector<GemmKind>& kinds,
                           const AskedShapes& asked);

/// What an estimate of one kind rests on.
struct KindEstimate {
  GemmKind kind;
  std::string refusal;        ///< why it would be skipped; empty when it would be measured
  double operations_per_s{};  ///< assumed
  Bytes memory;               ///< that the largest asked shape needs; 0 in a search, which takes what is free
  std::uint64_t skipped{};    ///< asked shapes that break a rule or don't fit
};

/// Seconds that the protocol needs for one kind.
double estimate_seconds(const GemmProtocol& protocol, const AskedShapes& asked, double operations_per_s);

/// What --dry-run prints: what would be measured, with its count and an estimate of time and memory.
std::string describe_plan(const GemmProtocol& protocol, const AskedShapes& asked,
                          const std::vector<KindEstimate>& kinds, Bytes free_memory);

}  // namespace shakedown
