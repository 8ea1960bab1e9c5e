// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shakedown/base/device_info.h"
#include "shakedown/base/gemm_kind.h"
#include "shakedown/base/units.h"
#include "shakedown/model/run_context.h"
#include "shakedown/model/time_statistics.h"
#include "shakedown/model/verdict.h"

namespace shakedown {

/// How products follow each other while they are timed (docs/measuring.md).
enum class GemmMode {
  burst,      ///< the chip rested, then a few products back to back; again and again
  sustained,  ///< back to back at the power and temperature where the chip settles
  mamf_v2,    ///< the book's script: cache flushed and D rewritten between single products
};
/// "burst", "sustained", "mamf-v2".
std::string_view name_of(GemmMode mode);

/// Rates in 10^12 operations a second (TFLOPS; TOPS for int8), 2 m n k operations a product.
struct RateStatistics {
  double mean{};                              ///< all operations over all time
  double median{};                            ///< of the samples; the headline
  double max{};                               ///< of the samples
  std::optional<double> ci95_low, ci95_high;  ///< of the median, distribution-free; none below six samples
};

/// One shape, measured in one mode.
struct GemmResult {
  GemmShape shape;
  GemmKind kind;
  GemmMode mode{GemmMode::burst};
  std::optional<DeviceInfo> device;  ///< none on the CPU
  std::string host;                  ///< where it ran
  TimeStatistics time_s;             ///< one product, over samples
  RateStatistics rate;
  int calls_per_sample{};
  int places{};  ///< sets of buffers that the calls rotated over
  std::string algorithm;
  std::optional<double> clock_mhz;  ///< median over the samples
  std::optional<double> power_w;    ///< mean; none in burst, which is shorter than what sensors average over
  std::optional<double> temperature_c;
  std::vector<std::string> throttle;  ///< every reason that was seen
  std::optional<double> drift_per_s;  ///< trend of the rate, as a fraction of it a second (Theil-Sen)
  std::string stopped_by;             ///< why sampling ended: "interval", "samples", "time"
  std::optional<bool> verified;       ///< none when it was not checked
  std::string remark;                 ///< what a reader should know of this row; empty for nothing
  RowStatus status{RowStatus::ok};
  std::string reason;
};

/// A shape that the search looked at, with what it knows of it.
struct ScreenedShape {
  GemmShape shape;
  std::string algorithm;
  GemmMode mode{GemmMode::burst};
  double rate{};  ///< median so far, in 10^12 operations a second
  int samples{};
};

/// The most that a chip can do of one kind, and where that number comes from.
struct GemmPeak {
  std::optional<double> datasheet;  ///< 10^12 operations a second, dense
  std::string datasheet_source;     ///< "NVIDIA H200 datasheet"
  std::optional<double> per_clock;  ///< operations a clock and unit, dense
  int units{};                      ///< SMs, or cores
  std::string unit_name{"SMs"};     ///< "SMs" or "cores"
  std::optional<double> max_clock_mhz;
  bool estimated{false};  ///< our own estimate (a CPU), so a reading above it is a warning alone
  std::string note;       ///< e.g. that the row was taken by compute capability, not by name

  /// units x per_clock x MHz / 10^6; none where a part is unknown.
  [[nodiscard]] std::optional<double> at(std::optional<double> clock_mhz) const;
  /// Whether no chip can have done this: the rate is above the peak at the maximum clock (at the measured one where
  /// that is not told) by more than clocks are told wrong. False where the peak is unknown.
  [[nodiscard]] bool is_exceeded_by(double rate, std::optional<double> clock_mhz) const;
};

/// Measured over peak, as fractions; each is empty where its peak is not known.
struct Efficiency {
  std::optional<double> of_datasheet, of_max_clock, of_measured_clock;
};
Efficiency efficiency_of(const GemmResult& result, const GemmPeak& peak);

/// The best of one kind on one device, for each mode that was measured.
struct BestGemm {
  GemmKind kind;
  std::optional<DeviceInfo> device;
  std::string host;
  GemmPeak peak;
  std::optional<GemmResult> burst, sustained, mamf_v2;
};

/// What the tool was asked to measure.
enum class GemmTask {
  search,  ///< find the best shape
  shapes,  ///< these shapes
  model,   ///< the products of a transformer, or of a shape file
};

/// All that defines how the numbers were taken.
struct GemmProtocol {
  GemmTask task{GemmTask::search};
  std::vector<GemmKind> kinds;
  std::vector<GemmMode> modes{GemmMode::burst, GemmMode::sustained};
  GemmData data{GemmData::normal};
  std::uint64_t seed{};
  std::string shape_rule;                  ///< for people: "m 1024 to 15360 step 1024, ...", "search"
  std::uint64_t shapes{};                  ///< asked for; 0 in a search
  Seconds budget{};                        ///< of a search; 0 otherwise
  Seconds rest{};                          ///< least pause before a burst sample
  Seconds screen_rest{};                   ///< the same, while many shapes are compared once
  std::string rest_rule;                   ///< "until the SM clock is back" or "measured gap"
  int burst_warmups{};                     ///< products before the timed ones of a burst sample
  int burst_calls{};                       ///< least products in a burst sample
  int least_samples{};                     ///< of a headline figure
  Seconds soak{};                          ///< back to back before sustained samples count
  Seconds sustained_time{};                ///< that count
  int flushed_warmups{}, flushed_calls{};  ///< of mamf-v2
  int algorithms{};                        ///< most that are tried on a finalist
  std::vector<GemmShape> controls;         ///< measured beside a search's winners, with the library's first choice
  Seconds timeout{60};
};

/// One of the products that a transformer runs.
struct SuiteEntry {
  std::string name;  ///< "ffn up, forward"
  GemmShape shape;
  double count{1};       ///< times a step runs it
  std::size_t result{};  ///< index in results
};

/// A transformer's products as one figure.
struct SuiteSummary {
  std::string description;  ///< the model, and what was left out
  std::vector<SuiteEntry> entries;
  GemmKind kind;
  GemmMode mode{GemmMode::sustained};
  std::optional<double>
      harmonic_mean;    ///< FLOP-weighted: all operations over all time; none until every entry was measured
  double operations{};  ///< of one step, all entries
};

/// One device among those that ran the same product.
struct DeviceReading {
  std::string host;
  int rank{};
  DeviceInfo device;
  double rate{};
  std::optional<double> clock_mhz, power_w, temperature_c;
  bool outlier{false};
};

/// The same product on each device.
struct DeviceSpread {
  GemmKind kind;
  GemmMode mode{GemmMode::sustained};
  bool together{false};  ///< all at once, or one after the other
  GemmShape shape;
  std::vector<DeviceReading> devices;
  double min{}, median{}, max{};
};

/// The whole result of mamf_finder: written while it grows, rendered by report.
struct GemmReport {
  RunHeader header;
  RunContext context;
  GemmProtocol protocol;
  std::vector<GemmResult> results;      ///< in the order in which they were finished
  std::vector<ScreenedShape> screened;  ///< of searches
  std::vector<BestGemm> best;           ///< one a kind and device
  std::vector<DeviceSpread> spreads;
  std::optional<SuiteSummary> suite;
  std::vector<Check> checks;
  std::string ended_early;  ///< why the run is not complete, for people; empty while it is fine
};

}  // namespace shakedown
