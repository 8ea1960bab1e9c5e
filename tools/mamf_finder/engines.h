// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "shakedown/backends/matrix_module.h"
#include "shakedown/model/gemm_report.h"

namespace shakedown {

/// How each module is opened; a parameter, so that tests can hand in engines of their own.
struct MatrixLoaders {
  std::function<Loaded<MatrixModule>()> gpu, cpu, cpu_float64;
};
/// cuBLASLt; oneDNN; BLAS, since oneDNN has no float64.
MatrixLoaders installed_loaders();

/// The modules of the backend that this process uses. The CPU's are opened when a kind first needs them.
class MatrixModules {
 public:
  /// Looks for GPUs unless `backend` is "cpu". Throws Unavailable when GPUs were asked for and there are none.
  MatrixModules(MatrixLoaders loaders, const std::string& backend);

  [[nodiscard]] bool gpu() const { return gpu_count_ > 0; }
  /// Why this backend, in words.
  [[nodiscard]] const std::string& reason() const { return reason_; }
  /// Devices that this process may use; 1 on the CPU.
  [[nodiscard]] int device_count() const { return gpu() ? gpu_count_ : 1; }
  /// The module that multiplies this type; none, with the reason in words.
  Loaded<MatrixModule>& module_for(GemmType type);
  /// Of every module that was opened.
  [[nodiscard]] NamedValues versions() const;

 private:
  MatrixLoaders loaders_;
  Loaded<MatrixModule> gpu_, cpu_, cpu_float64_;
  int gpu_count_{0};
  std::string reason_;
};

/// One device's place in the one thread that uses it: at most one engine at a time.
class EngineSeat {
 public:
  EngineSeat(MatrixModules& modules, int index) : modules_(modules), index_(index) {}

  /// Why this device can't multiply this kind, in words; empty when it can.
  std::string refusal(const GemmKind& kind);
  /// The engine for this type, opened where it is not yet. Throws Unavailable, or what the engine throws.
  MatrixEngine& engine(GemmType type);
  /// Gives the device's memory back.
  void release() { engine_.reset(); }
  [[nodiscard]] int index() const { return index_; }

 private:
  MatrixModules& modules_;
  int index_;
  std::shared_ptr<MatrixModule> module_;  ///< of engine_, which must not outlive it
  std::unique_ptr<MatrixEngine> engine_;
};

/// The peak of the engine's chip.
GemmPeak peak_of(const EngineInfo& info, const GemmKind& kind);

/// Shapes that won on such chips before; none on the CPU.
std::vector<GemmShape> known_shapes(const EngineInfo& info, GemmType type);

}  // namespace shakedown
