// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dnnl.hpp>
#include <memory>
#include <string>
#include <vector>

#include "backends/host_matrix/host_engine.h"

namespace shakedown {

/// oneDNN as a matrix engine: the library that PyTorch multiplies with on processors.
class OneDnnEngine final : public HostEngine {
 public:
  /// In the thread that will use it: the library's threads belong to it.
  static std::unique_ptr<OneDnnEngine> open();
  using HostEngine::refusal;
  [[nodiscard]] std::string refusal(const GemmKind& kind) const override;

 protected:
  [[nodiscard]] HostTypes types_of(const GemmKind& kind) const override;
  [[nodiscard]] std::unique_ptr<HostProduct> make_product(const GemmKind& kind, const GemmShape& shape) const override;
  void pin_library_threads() const override;

 private:
  OneDnnEngine(std::vector<std::string> notices, std::vector<int> cpus);

  dnnl::engine engine_;
  dnnl::stream stream_;
};

}  // namespace shakedown
