// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "shakedown/bench/gemm_bench.h"

namespace shakedown {

/// One burst sample, or one window of sustained work.
struct GemmSample {
  Seconds per_call{};
  std::optional<double> clock_mhz;
  double at_s{};  ///< when it ended, seconds since the series began, in the device's own time where it is continuous
};

/// Samples of one product in one mode, with what sensors said meanwhile.
struct GemmSeries {
  std::vector<GemmSample> samples;
  int calls_per_sample{};
  std::optional<double> power_w, temperature_c;  ///< mean; last
  std::vector<std::string> throttle;             ///< every reason that was seen, each once
  std::string stopped_by;
};

/// Takes samples of products: how they follow each other is decided here, and nowhere else.
class GemmMeter {
 public:
  explicit GemmMeter(const GemmBench& bench) : bench_(bench) {}

  /// Pauses until the chip's clock is back: at least `rest`, then until its sensors show the highest clock (a second at
  /// most). Without sensors the gap alone.
  void rest(Seconds rest);

  /// One burst sample: rest, warm-ups, then the timed products. Products shorter than the marks can time are repeated
  /// more often.
  GemmSample burst_sample(PreparedGemm& gemm, Seconds rest);

  /// Burst samples of `gemm`, and of the others between them, in turn: at least `least`, until the 95 % interval of
  /// the first one's median is within 0.25 % to both sides, at most `most`. One series each.
  std::vector<GemmSeries> burst_series(const std::vector<PreparedGemm*>& gemms, int least, int most);

  /// Products back to back, without a gap, for `skip` and then `time`; the windows of `time` are the samples.
  GemmSeries sustained_series(PreparedGemm& gemm, Seconds skip, Seconds time);

  /// Back to back until rate and power of the last half of `least` differ by less than 1 % from the half before it; at
  /// most four times `least`.
  void soak(PreparedGemm& gemm, Seconds least);

  /// The book's method: warm-ups, then single products with the cache flushed before each.
  GemmSeries flushed_series(PreparedGemm& gemm);

 private:
  [[nodiscard]] int burst_calls(Seconds per_call) const;
  BatchReading batch(PreparedGemm& gemm, int calls);
  /// A slow product is no hang: raises the longest silence to 20 of it.
  void allow_for(Seconds per_call);

  const GemmBench& bench_;
  bool clock_never_returns_{false};  ///< waiting for the highest clock was in vain once
};

}  // namespace shakedown
