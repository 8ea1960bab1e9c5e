// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "shakedown/backends/module.h"

namespace shakedown {
namespace {

constexpr bool has_cuda_module = SHAKEDOWN_TEST_CUDA_MODULE != 0;

TEST(Loader, OpensTheGpuModuleOrSaysWhatIsMissing) {
  const Loaded<CudaModule> loaded = load_cuda_module();
  EXPECT_EQ(loaded.module != nullptr, loaded.reason.empty()) << loaded.reason;
  if (loaded.module) return;
  const std::string missing = has_cuda_module ? "libnccl.so.2: cannot open" : "this build has no GPU module";
  EXPECT_NE(loaded.reason.find(missing), std::string::npos) << loaded.reason;
}

TEST(Loader, AModuleCanBeOpenedTwice) {
  const Loaded<CudaModule> first = load_cuda_module();
  const Loaded<CudaModule> second = load_cuda_module();
  EXPECT_EQ(first.reason, second.reason);
}

TEST(SingleSession, AbortEndsTheProcessWithTheCode) {
  EXPECT_EXIT(make_single_session()->abort(ExitCode::deadline), ::testing::ExitedWithCode(5), "");
}

}  // namespace
}  // namespace shakedown
