// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <optional>
#include <string>

#include "shakedown/hw/gemm_peak.h"

namespace shakedown {
namespace {

/// The vector units of a core: operations a clock in float32 tell their width, the rest follows from it.
struct VectorUnits {
  double float32{};    ///< 2 (multiply, add) x lanes x units
  std::string reason;  ///< the processor and its units, in words
  bool is_one_port{};  ///< 512-bit work has no third port, on which additions of int8 sums could go
};

/// AMD's models by family: the width of the datapath, not of the instruction, counts.
VectorUnits amd_units(const CpuFacts& cpu) {
  if (cpu.family == 26) {
    // Zen 5's laptop dies (Strix Point, Krackan Point) split 512-bit instructions; the others have the full width.
    const bool is_narrow = (cpu.model >= 0x20 && cpu.model <= 0x2f) || (cpu.model >= 0x60 && cpu.model <= 0x6f);
    if (is_narrow) return {32, "Zen 5 with 256-bit datapaths, two multiply-add units", false};
    return {64, "Zen 5, two 512-bit multiply-add units", false};
  }
  if (cpu.family == 25 && cpu.avx512) {
    return {32, "Zen 4: 512-bit instructions on two 256-bit multiply-add units", false};
  }
  // Zen 1 and Zen+ split 256-bit instructions; Zen 2 is model 0x31 and above.
  if ((cpu.family == 23 && cpu.model < 0x30) || cpu.family == 24) {
    return {16, "Zen 1: 256-bit instructions on two 128-bit multiply-add units", false};
  }
  if (cpu.avx2) return {32, "AVX2, two 256-bit multiply-add units", false};
  return {};
}

VectorUnits intel_units(const CpuFacts& cpu) {
  const auto is_any_of = [&](auto... models) { return ((cpu.model == models) || ...); };
  // Client chips of Ice Lake, Tiger Lake and Rocket Lake.
  if (cpu.avx512 && is_any_of(0x7d, 0x7e, 0x8c, 0x8d, 0xa7)) {
    return {32, "AVX-512 on a client chip, one 512-bit multiply-add unit", true};
  }
  if (cpu.avx512) {
    std::string reason = "AVX-512, two 512-bit multiply-add units";
    // Skylake, Cascade Lake and Cooper Lake share a model number.
    if (cpu.model == 0x55) reason += " (Bronze, Silver and some Gold 5000 and D chips have one: half of this)";
    return {64, reason, true};
  }
  if (cpu.avx2) return {32, "AVX2, two 256-bit multiply-add units", false};
  return {};
}

VectorUnits arm_units(const CpuFacts& cpu) {
  switch (cpu.model) {
    case 0xd0c:
      return {16, "Neoverse N1, two 128-bit units", false};
    case 0xd49:
      return {16, "Neoverse N2, two 128-bit units", false};
    case 0xd40:
      return {32, "Neoverse V1, two 256-bit units", false};
    case 0xd4f:
      return {32, "Neoverse V2, four 128-bit units", false};
    default:
      return {};
  }
}

VectorUnits units_of(const CpuFacts& cpu) {
  if (cpu.vendor == "AuthenticAMD" || cpu.vendor == "HygonGenuine") return amd_units(cpu);
  if (cpu.vendor == "GenuineIntel") return intel_units(cpu);
  if (cpu.vendor == "ARM") return arm_units(cpu);
  if (cpu.avx2) return {32, "AVX2, taken to have two 256-bit multiply-add units", false};
  return {};
}

/// Operations a clock and core, and why.
struct Rate {
  std::optional<double> per_clock;
  std::string reason;
};

Rate bfloat16_rate(const CpuFacts& cpu, const VectorUnits& units) {
  // One tile of 16 x 16 sums over 32 products each takes 16 clocks.
  if (cpu.amx_bf16) return {1024, "AMX: one TDPBF16PS in 16 clocks"};
  if (units.float32 == 0) return {};
  if (cpu.avx512_bf16) return {2 * units.float32, units.reason + "; VDPBF16PS multiplies pairs"};
  if (cpu.arm_bf16) return {4 * units.float32, units.reason + "; BFMMLA does four times the work of a float32 FMLA"};
  return {units.float32, units.reason + "; no bfloat16 instructions, so float32 is computed"};
}

Rate int8_rate(const CpuFacts& cpu, const VectorUnits& units) {
  if (cpu.amx_int8) return {2048, "AMX: one TDPBUSD in 16 clocks"};
  if (units.float32 == 0) return {};
  if (cpu.avx512_vnni || cpu.avx_vnni) return {4 * units.float32, units.reason + "; VPDPBUSD multiplies quadruples"};
  if (cpu.arm_i8mm) return {8 * units.float32, units.reason + "; SMMLA does eight times the work of a float32 FMLA"};
  if (cpu.neon) return {4 * units.float32, units.reason + "; SDOT multiplies quadruples"};
  // VPMADDUBSW, VPMADDWD and VPADDD for each four products; the last has a port of its own unless all are 512 bits
  // wide.
  const double share = units.is_one_port ? 4.0 / 3 : 2.0;
  return {share * units.float32, units.reason + "; no int8 dot products, so three instructions for each"};
}

Rate float16_rate(const CpuFacts& cpu, const VectorUnits& units) {
  if (cpu.amx_fp16) return {1024, "AMX: one TDPFP16PS in 16 clocks"};
  if (cpu.avx512_fp16 && units.float32 != 0) return {2 * units.float32, units.reason + "; AVX512-FP16"};
  return {};
}

Rate rate_of(const CpuFacts& cpu, GemmType type) {
  const VectorUnits units = units_of(cpu);
  switch (type) {
    case GemmType::bfloat16:
      return bfloat16_rate(cpu, units);
    case GemmType::int8:
      return int8_rate(cpu, units);
    case GemmType::float16:
      return float16_rate(cpu, units);
    case GemmType::float32:
      if (units.float32 != 0) return {units.float32, units.reason};
      return {};
    case GemmType::float64:
      if (units.float32 != 0) return {units.float32 / 2, units.reason};
      return {};
    default:
      return {};
  }
}

}  // namespace

GemmPeak cpu_gemm_peak(const CpuFacts& cpu, const GemmKind& kind) {
  const Rate rate = rate_of(cpu, kind.type);
  GemmPeak peak;
  peak.units = cpu.cores;
  peak.unit_name = "cores";
  peak.max_clock_mhz = cpu.max_clock_mhz;
  peak.estimated = true;
  peak.per_clock = rate.per_clock;
  peak.note = rate.per_clock ? fmt::format("our own estimate: {}", rate.reason)
                             : fmt::format(
                                   "no estimate of {} operations a clock for this processor ({}, family {}, "
                                   "model {:#x})",
                                   name_of(kind.type), cpu.name, cpu.family, cpu.model);
  return peak;
}

}  // namespace shakedown
