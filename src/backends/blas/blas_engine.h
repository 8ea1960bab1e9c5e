// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "backends/host_matrix/host_engine.h"

namespace shakedown {

/// OpenBLAS as a matrix engine: for float64, which oneDNN has not, and float32 to compare.
class BlasEngine final : public HostEngine {
 public:
  /// `notices`: what there is to say of the library already.
  static std::unique_ptr<BlasEngine> open(std::vector<std::string> notices);
  using HostEngine::refusal;
  [[nodiscard]] std::string refusal(const GemmKind& kind) const override;

 protected:
  [[nodiscard]] HostTypes types_of(const GemmKind& kind) const override;
  [[nodiscard]] std::unique_ptr<HostProduct> make_product(const GemmKind& kind, const GemmShape& shape) const override;
  void pin_library_threads() const override;

 private:
  BlasEngine(std::string library, std::vector<std::string> notices, std::vector<int> cpus);
};

/// "0.3.21"
std::string openblas_version();

}  // namespace shakedown
