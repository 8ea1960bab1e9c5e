// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shakedown/base/dtype.h"
#include "shakedown/base/units.h"
#include "shakedown/model/run_context.h"
#include "shakedown/model/time_statistics.h"
#include "shakedown/model/verdict.h"

namespace shakedown {

/// How calls follow each other while they are timed (docs/measuring.md).
enum class Timing { pipelined, blocking, graph };
std::string_view name_of(Timing timing);

/// All that defines how the numbers were taken.
struct CollectiveProtocol {
  std::string collective{"all_reduce"};
  DataType dtype{DataType::float32};
  std::string op{"sum"};
  Timing timing{Timing::pipelined};
  bool in_place{false};
  int warmups{5};
  int iterations{20};  ///< samples a row
  bool check{true};
  Seconds timeout{60};  ///< the longest silence that was allowed at the end, after it was raised
  Seconds asked_timeout{60};
  std::vector<Bytes> sizes;  ///< as asked
  std::string size_rule;     ///< "32 KiB to 16 GiB, times 2", for people
};

/// A rank that the others waited for.
struct Straggler {
  int rank{};
  std::string host;
  double lead_s{};  ///< how much less time it spent in a call than the median rank
};

/// A wrong element: where it was seen and what it should have been.
struct WrongElement {
  int rank{};
  std::string host;
  std::uint64_t index{};
  double got{};
  double expected{};
  std::string when;  ///< "after warm-up", "after the timed calls"
};

/// One payload, measured; a sample of its time is the maximum over ranks.
struct CollectiveRow {
  Bytes bytes;  ///< moved a call; a whole number of elements
  Bytes bytes_requested;
  std::uint64_t count{};  ///< elements
  std::uint64_t iterations{};
  std::uint64_t batch{1};   ///< calls a sample; more than one where a call is too short for the clock
  std::uint64_t places{1};  ///< of the buffers that calls rotate over, so that they do not live in the GPU's cache
  TimeStatistics time_s;
  std::vector<double> samples_s;   ///< a sample an iteration, maximum over ranks, seconds a call
  std::vector<double> per_rank_s;  ///< each rank's mean
  BytesPerSecond algbw;
  std::optional<BytesPerSecond> busbw;  ///< none for one rank
  bool checked{false};
  std::optional<std::uint64_t> wrong;  ///< wrong elements over all ranks; none when not checked
  std::optional<WrongElement> first_wrong;
  std::optional<Straggler> straggler;
  RowStatus status{RowStatus::ok};
  std::string reason;
};

/// What stands out of the rows.
struct CollectiveSummary {
  std::optional<BytesPerSecond> best_busbw;
  std::optional<BytesPerSecond> best_algbw;
  Bytes best_bytes;  ///< the payload of the best row
  std::uint64_t wrong{};
  std::uint64_t rows_checked{};
};

/// The whole result of all_reduce_bench: written while it grows, rendered by report.
struct CollectiveReport {
  RunHeader header;
  RunContext context;
  CollectiveProtocol protocol;
  bool profile{false};  ///< --profile-stability: show a line per iteration
  std::vector<CollectiveRow> rows;
  std::vector<Check> checks;
  std::string ended_early;  ///< why the run is not complete, for people; empty while it is fine

  [[nodiscard]] CollectiveSummary summary() const;
};

}  // namespace shakedown
