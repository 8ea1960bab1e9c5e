// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>

#include "hw/accelerators.h"
#include "shakedown/hw/gemm_peak.h"

namespace shakedown {
namespace {

void add_note(GemmPeak& peak, const std::string& note) {
  if (!peak.note.empty()) peak.note += "; ";
  peak.note += note;
}

bool is_slice(const ChipFacts& chip) {
  const std::vector<std::string> words = words_of(chip.name);
  return std::find(words.begin(), words.end(), "mig") != words.end();
}

void add_datasheet(GemmPeak& peak, const ChipFacts& chip, const GemmKind& kind, const Accelerator& product) {
  if (peak.units == 0) peak.units = product.units;
  if (is_slice(chip)) {
    add_note(peak, "a MIG slice; the datasheet speaks of the whole chip");
    return;
  }
  peak.datasheet = product.datasheet.of(kind);
  if (peak.datasheet) peak.datasheet_source = product.source;
  if (peak.units != product.units) {
    add_note(peak, fmt::format("the datasheet's chip has {} SMs, this one reports {}", product.units, peak.units));
  }
}

void add_rate(GemmPeak& peak, const GemmKind& kind, Architecture architecture) {
  peak.per_clock = rates_of(architecture).of(kind);
  if (!peak.per_clock) {
    add_note(peak, fmt::format("no rate of {} per clock is known for {}", name_of(kind.type), name_of(architecture)));
    return;
  }
  if (is_rough(architecture, kind.type)) {
    peak.estimated = true;
    add_note(peak, fmt::format("{} is much reduced on {}; its rate is derived from rounded figures", name_of(kind.type),
                               name_of(architecture)));
  }
  const KindFigures& rates = rates_of(architecture);
  if (kind.accumulation == Accumulation::fast && rates.float8_fast > rates.float8) {
    add_note(peak, "this chip multiplies float8 twice as fast when it may sum in 16 bits");
  }
}

}  // namespace

GemmPeak gpu_gemm_peak(const ChipFacts& chip, const GemmKind& kind) {
  GemmPeak peak;
  peak.units = chip.units;
  peak.max_clock_mhz = chip.max_clock_mhz;
  if (const Accelerator* product = find_accelerator(chip.name)) {
    add_datasheet(peak, chip, kind, *product);
    add_rate(peak, kind, product->architecture);
    return peak;
  }
  const auto architecture = architecture_of(chip.cc_major, chip.cc_minor, chip.name);
  const std::string capability = fmt::format("compute capability {}.{}", chip.cc_major, chip.cc_minor);
  if (!architecture) {
    add_note(peak,
             fmt::format("neither \"{}\" nor {} is in the catalogue, so that no peak is known", chip.name, capability));
    return peak;
  }
  peak.estimated = true;  // a product may be cut below its design, or sold under a name that hides its kind
  add_note(peak, fmt::format("\"{}\" is not in the catalogue; its rate is that of {} ({})", chip.name, capability,
                             name_of(*architecture)));
  add_rate(peak, kind, *architecture);
  return peak;
}

}  // namespace shakedown
