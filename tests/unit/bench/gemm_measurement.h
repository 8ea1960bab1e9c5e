// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "shakedown/bench/gemm_bench.h"
#include "support/scripted_chip.h"

namespace shakedown {

/// Waves of 128 x 256 tiles on 132 units, and a main loop that pays off with k.
inline double landscape(const GemmShape& shape, std::size_t algorithm) {
  const double k = static_cast<double>(shape.k);
  const double base = 900 * wave_efficiency(shape, Tile{128, 256}, 132) * k / (k + 700) * (1 - k / 400000);
  return base * (1 - 0.03 * static_cast<double>(algorithm));
}

inline GemmProtocol quick_protocol() {
  GemmProtocol protocol;
  protocol.budget = Seconds{45};
  protocol.rest = Seconds{0.1};
  protocol.screen_rest = Seconds{0.02};
  protocol.burst_warmups = 1;
  protocol.burst_calls = 5;
  protocol.least_samples = 6;
  protocol.soak = Seconds{3};
  protocol.sustained_time = Seconds{4};
  protocol.flushed_warmups = 5;
  protocol.flushed_calls = 20;
  protocol.algorithms = 8;
  protocol.seed = 42;
  return protocol;
}

/// A run on a scripted chip, with all that it borrows.
struct Measurement {
  explicit Measurement(ChipScript script, GemmProtocol protocol = quick_protocol()) : chip(std::move(script), clock) {
    report.protocol = std::move(protocol);
    peak.per_clock = 4096;
    peak.units = 132;
    peak.max_clock_mhz = 1980;  // 1070.5 TFLOPS
  }
  [[nodiscard]] GemmBench bench() { return {chip, kind, peak, report, tools}; }
  void find() { find_best(bench(), {}); }
  [[nodiscard]] const BestGemm& best() const { return report.best.at(0); }

  TurnedClock clock;
  ScriptedChip chip;
  GemmKind kind;
  GemmPeak peak;
  GemmReport report;
  StageBoard board{Seconds{60}};
  SilentProgress progress;
  int changes{0};
  GemmTools tools{clock, [this](Seconds time) { clock.pass(time); }, board, progress, [this] { ++changes; }};
};

inline ChipScript plain() {
  ChipScript script;
  script.cool_rate = landscape;
  return script;
}

}  // namespace shakedown
