// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "shakedown/backends/module.h"
#include "shakedown/base/error.h"

namespace shakedown {
namespace {

/// The GPU module of this build; the tests below need no GPU, but NCCL's library.
class CudaModuleTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!loaded_.module) GTEST_SKIP() << loaded_.reason;
  }
  Loaded<CudaModule> loaded_ = load_cuda_module();
};

TEST_F(CudaModuleTest, CountsGpusOrSaysWhyThereAreNone) {
  std::string reason;
  const int count = loaded_.module->device_count(reason);
  EXPECT_EQ(count > 0, reason.empty()) << count << " " << reason;
}

TEST_F(CudaModuleTest, ErrorsKeepTheirTypeAcrossTheBoundary) {
  try {
    loaded_.module->open_device(9999);
    FAIL() << "GPU 9999 was opened";
  } catch (const Unavailable& error) {
    EXPECT_EQ(error.exit_code(), ExitCode::unavailable);
    EXPECT_NE(std::string(error.what()).find("9999"), std::string::npos) << error.what();
  }
}

TEST_F(CudaModuleTest, RefusesADeviceOfAnotherBackend) {
  const auto session = make_single_session();
  const auto host = make_cpu_device(1);
  StageBoard board{Seconds{5}};
  EXPECT_THROW(loaded_.module->make_communicator(*session, *host, board), Error);
}

TEST_F(CudaModuleTest, KnowsWhichNcclItFound) {
  std::string version;
  std::string path;
  for (const auto& [name, value] : loaded_.module->versions()) {
    if (name == "nccl") version = value;
    if (name == "nccl_path") path = value;
  }
  EXPECT_EQ(version.rfind("2.", 0), 0u) << version;
  EXPECT_NE(path.find("libnccl"), std::string::npos) << path;
  EXPECT_EQ(path.rfind('/', 0), 0u) << path;
}

}  // namespace
}  // namespace shakedown
