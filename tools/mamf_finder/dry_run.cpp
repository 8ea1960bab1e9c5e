// SPDX-License-Identifier: Apache-2.0
#include "dry_run.h"

#include <algorithm>

#include "devices.h"
#include "kind_choice.h"

namespace shakedown {
namespace {

/// What large products reach of a chip's peak; a short estimate annoys more than a long one.
constexpr double usual_efficiency = 0.6;
/// A clock that most chips hold, for one that does not tell.
constexpr double usual_mhz = 1500;
/// Where no peak is known: a slow GPU and a slow core.
constexpr double unknown_gpu = 50e12;
constexpr double unknown_core = 30e9;

double assumed_rate(const EngineInfo& info, const GemmKind& kind) {
  const GemmPeak peak = peak_of(info, kind);
  const auto most = peak.datasheet ? peak.datasheet : peak.at(peak.max_clock_mhz.value_or(usual_mhz));
  if (most) return usual_efficiency * *most * 1e12;
  return info.device ? unknown_gpu : unknown_core * std::max(1, info.units);
}

KindEstimate estimate(EngineSeat& seat, const GemmKind& kind, const AskedShapes& asked) {
  const MatrixEngine& engine = seat.engine(kind.type);
  KindEstimate result;
  result.kind = kind;
  result.operations_per_s = assumed_rate(engine.info(), kind);
  const Bytes free = engine.free_memory();
  const auto take = [&](const GemmShape& shape) {
    const Bytes needed = engine.memory_for(kind, shape);
    if (!engine.refusal(kind, shape).empty() || needed > free)
      ++result.skipped;
    else
      result.memory = std::max(result.memory, needed);
  };
  for (const GemmShape& shape : asked.shapes) take(shape);
  for (const NamedGemm& gemm : asked.suite) take(gemm.shape);
  return result;
}

}  // namespace

std::string describe_run(const Options& options, const AskedShapes& asked, MatrixModules& modules) {
  const auto devices = choose_devices(options.devices, modules.gpu(), modules.device_count(), std::nullopt);
  EngineSeat seat(modules, devices.front());
  const KindChoice choice = choose_kinds(options, seat, modules.gpu());
  std::vector<KindEstimate> estimates;
  for (const GemmKind& kind : choice.kinds) estimates.push_back(estimate(seat, kind, asked));
  for (const auto& [kind, why] : choice.refused) {
    KindEstimate skipped;
    skipped.kind = kind;
    skipped.refusal = why;
    estimates.push_back(skipped);
  }
  const Bytes free = seat.engine(choice.kinds.front().type).free_memory();
  return describe_plan(plan_protocol(options, modules.gpu(), choice.kinds, asked), asked, estimates, free);
}

}  // namespace shakedown
