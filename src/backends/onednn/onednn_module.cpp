// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <string>

#include "backends/entry_points.h"
#include "backends/onednn/onednn_api.h"
#include "backends/onednn/onednn_engine.h"
#include "shakedown/backends/matrix_module.h"
#include "shakedown/base/error.h"

namespace shakedown {
namespace {

/// oneDNN behind the module's port.
class OneDnnModule final : public MatrixModule {
 public:
  int device_count(std::string& /*reason*/) override { return 1; }

  std::unique_ptr<MatrixEngine> open_engine(int index) override {
    if (index != 0) throw Error("open oneDNN: the processors of a host are one device, number 0");
    return OneDnnEngine::open();
  }

  [[nodiscard]] NamedValues versions() const override {
    return {{"onednn", onednn_version()}, {"onednn_isa", instruction_set()}};
  }
};

}  // namespace
}  // namespace shakedown

extern "C" __attribute__((visibility("default"))) shakedown::MatrixModule* shakedown_matrix_module_v1() {
  return new shakedown::OneDnnModule;  // owned by the loader
}
