// SPDX-License-Identifier: Apache-2.0
#include "kinds.h"

#include <fmt/format.h>

#include "shakedown/base/error.h"

namespace shakedown {
namespace {

bool is_float8(GemmType type) { return type == GemmType::float8_e4m3fn || type == GemmType::float8_e5m2; }

}  // namespace

std::string accumulation_refusal(GemmType type, Accumulation accumulation) {
  if (accumulation == Accumulation::fast && !is_float8(type))
    return fmt::format("fast accumulation is offered for float8_e4m3fn and float8_e5m2, not for {}", name_of(type));
  if (accumulation == Accumulation::half && type != GemmType::float16)
    return fmt::format("half accumulation is offered for float16, not for {}", name_of(type));
  return {};
}

Accumulation default_accumulation(GemmType type) {
  return is_float8(type) ? Accumulation::fast : Accumulation::standard;
}

std::vector<GemmKind> kinds_of(const std::vector<GemmType>& types, std::optional<Accumulation> accumulation,
                               GemmLayout layout) {
  std::vector<GemmKind> kinds;
  for (const GemmType type : types) {
    const Accumulation chosen = accumulation.value_or(default_accumulation(type));
    if (const std::string why = accumulation_refusal(type, chosen); !why.empty())
      throw UsageError(fmt::format("--accumulation {}: {}", name_of(chosen), why));
    kinds.push_back({.type = type, .accumulation = chosen, .layout = layout});
  }
  return kinds;
}

std::vector<GemmKind> every_kind(std::optional<Accumulation> accumulation, GemmLayout layout) {
  std::vector<GemmKind> kinds;
  for (const GemmType type : all_gemm_types())
    for (const Accumulation each : {default_accumulation(type), Accumulation::standard, Accumulation::half}) {
      const GemmKind kind{.type = type, .accumulation = each, .layout = layout};
      const bool asked = !accumulation || *accumulation == each;
      const bool repeated = !kinds.empty() && kinds.back() == kind;
      if (asked && !repeated && accumulation_refusal(type, each).empty()) kinds.push_back(kind);
    }
  return kinds;
}

}  // namespace shakedown
