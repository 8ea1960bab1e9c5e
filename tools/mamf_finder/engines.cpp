// SPDX-License-Identifier: Apache-2.0
#include "engines.h"

#include <fmt/format.h>

#include <utility>

#include "shakedown/base/error.h"
#include "shakedown/hw/gemm_peak.h"
#include "shakedown/hw/known_shapes.h"

namespace shakedown {
namespace {

ChipFacts chip_of(const EngineInfo& info) {
  return {.name = info.chip,
          .cc_major = info.cc_major,
          .cc_minor = info.cc_minor,
          .units = info.units,
          .max_clock_mhz = info.max_clock_mhz};
}

}  // namespace

MatrixLoaders installed_loaders() {
  return {.gpu = load_cublaslt_module, .cpu = load_onednn_module, .cpu_float64 = load_blas_module};
}

MatrixModules::MatrixModules(MatrixLoaders loaders, const std::string& backend) : loaders_(std::move(loaders)) {
  if (backend == "cpu") {
    reason_ = "--backend cpu";
    return;
  }
  gpu_ = loaders_.gpu();
  reason_ = gpu_.reason;
  if (gpu_.module) gpu_count_ = gpu_.module->device_count(reason_);
  if (gpu())
    reason_ = backend == "cuda" ? "--backend cuda"
                                : fmt::format("{} visible {}", gpu_count_, gpu_count_ == 1 ? "GPU" : "GPUs");
  else if (backend == "cuda")
    throw Unavailable(fmt::format("--backend cuda: no usable GPU ({}); --backend cpu measures the CPU", reason_));
}

Loaded<MatrixModule>& MatrixModules::module_for(GemmType type) {
  if (gpu()) return gpu_;
  Loaded<MatrixModule>& place = type == GemmType::float64 ? cpu_float64_ : cpu_;
  if (!place.module && place.reason.empty())
    place = type == GemmType::float64 ? loaders_.cpu_float64() : loaders_.cpu();
  return place;
}

NamedValues MatrixModules::versions() const {
  NamedValues all;
  for (const auto* loaded : {&gpu_, &cpu_, &cpu_float64_})
    if (loaded->module && (gpu() || loaded != &gpu_))
      for (auto& version : loaded->module->versions()) all.push_back(version);
  return all;
}

std::string EngineSeat::refusal(const GemmKind& kind) {
  const Loaded<MatrixModule>& loaded = modules_.module_for(kind.type);
  if (!loaded.module) return fmt::format("{} needs a library that is not here: {}", name_of(kind.type), loaded.reason);
  return engine(kind.type).refusal(kind);
}

MatrixEngine& EngineSeat::engine(GemmType type) {
  const Loaded<MatrixModule>& loaded = modules_.module_for(type);
  if (!loaded.module) throw Unavailable(fmt::format("multiply {}: {}", name_of(type), loaded.reason));
  if (engine_ && module_ == loaded.module) return *engine_;
  engine_.reset();
  module_ = loaded.module;
  engine_ = module_->open_engine(index_);
  return *engine_;
}

GemmPeak peak_of(const EngineInfo& info, const GemmKind& kind) {
  if (info.device) return gpu_gemm_peak(chip_of(info), kind);
  CpuFacts cpu = read_cpu_facts();
  cpu.cores = info.units;
  return cpu_gemm_peak(cpu, kind);
}

std::vector<GemmShape> known_shapes(const EngineInfo& info, GemmType type) {
  return info.device ? known_good_shapes(chip_of(info), type) : std::vector<GemmShape>{};
}

}  // namespace shakedown
