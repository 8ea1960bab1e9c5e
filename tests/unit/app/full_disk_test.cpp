// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/mount.h>

#include <string>

#include "shakedown/app/output_file.h"
#include "shakedown/base/error.h"
#include "support/temporary_directory.h"

namespace shakedown {
namespace {

using testing::read_file;
using testing::TemporaryDirectory;
using testing::write_file;

/// A disk of 8 KiB; needs root.
class FullDisk : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::mount("tmpfs", directory_.path().c_str(), "tmpfs", 0, "size=8k") != 0)
      GTEST_SKIP() << "may not mount a small disk here";
    mounted_ = true;
  }
  void TearDown() override {
    if (mounted_) ::umount(directory_.path().c_str());
  }
  TemporaryDirectory directory_;
  bool mounted_{false};
};

TEST_F(FullDisk, KeepsThePreviousDocumentAndNoRest) {
  OutputFile file{directory_ / "a.json"};
  EXPECT_TRUE(file.write("short", false));
  EXPECT_FALSE(file.write(std::string(50'000, 'x'), false));
  EXPECT_NE(file.error().find("No space left on device"), std::string::npos) << file.error();
  EXPECT_EQ(read_file(directory_ / "a.json"), "short");
  EXPECT_EQ(directory_.entries(), 1);
}

TEST_F(FullDisk, IsRefusedBeforeAnythingIsMeasured) {
  write_file(directory_ / "filler", std::string(50'000, 'x'));
  try {
    const OutputFile file{directory_ / "b.json"};
    ADD_FAILURE() << "accepted";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string{error.what()}.find("No space left on device"), std::string::npos) << error.what();
  }
  EXPECT_EQ(directory_.entries(), 1);
}

}  // namespace
}  // namespace shakedown
