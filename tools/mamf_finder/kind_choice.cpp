// SPDX-License-Identifier: Apache-2.0
#include "kind_choice.h"

#include <fmt/format.h>

#include "kinds.h"
#include "shakedown/base/error.h"
#include "shakedown/hw/gemm_peak.h"

namespace shakedown {
namespace {

/// An emulated bfloat16 is slower than float32 and says nothing of the chip.
bool has_native_bfloat16(const CpuFacts& cpu) { return cpu.avx512_bf16 || cpu.amx_bf16 || cpu.arm_bf16; }

GemmKind default_kind(const Options& options, EngineSeat& seat, bool on_gpu, std::string& remark) {
  const GemmKind usual{.type = GemmType::bfloat16, .accumulation = Accumulation::standard, .layout = options.layout};
  if (on_gpu) return usual;
  std::string why;
  if (!has_native_bfloat16(read_cpu_facts())) why = "this CPU has no bfloat16 instructions";
  if (why.empty()) why = seat.refusal(usual);
  if (why.empty()) return usual;
  remark = fmt::format("float32 instead of the usual bfloat16: {}", why);
  return {.type = GemmType::float32, .accumulation = Accumulation::standard, .layout = options.layout};
}

}  // namespace

KindChoice choose_kinds(const Options& options, EngineSeat& seat, bool on_gpu) {
  KindChoice choice;
  std::vector<GemmKind> asked;
  if (options.all_types)
    asked = every_kind(options.accumulation, options.layout);
  else if (options.types.empty())
    asked = {default_kind(options, seat, on_gpu, choice.remark)};
  else
    asked = kinds_of(options.types, options.accumulation, options.layout);
  for (const GemmKind& kind : asked) {
    const std::string why = seat.refusal(kind);
    if (why.empty())
      choice.kinds.push_back(kind);
    else if (!options.all_types)
      choice.refused.emplace_back(kind, why);
  }
  if (!choice.kinds.empty()) return choice;
  std::string reasons;
  for (const auto& [kind, why] : choice.refused)
    reasons += fmt::format("{}{}: {}", reasons.empty() ? "" : "; ", describe(kind), why);
  throw Unavailable(
      fmt::format("--dtype: not offered here: {}; --dtype all takes every type that the device has",
                  reasons.empty() ? fmt::format("none of the types, in layout {}", name_of(options.layout)) : reasons));
}

std::string describe(const std::vector<GemmKind>& kinds) {
  std::string text;
  for (const GemmKind& kind : kinds) text += (text.empty() ? "" : "; ") + describe(kind);
  return text;
}

}  // namespace shakedown
