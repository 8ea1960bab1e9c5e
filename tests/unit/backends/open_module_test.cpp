// SPDX-License-Identifier: Apache-2.0
#include "backends/open_module.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

namespace shakedown {
namespace {

const ModuleWords words{"test module", "install the test library"};
const std::filesystem::path folder = SHAKEDOWN_TEST_MODULE_FOLDER;

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(OpenModule, FindsTheEntryPoint) {
  const OpenedModule opened = open_module(folder / "libsd_test_module.so", "sd_test_entry", words);
  ASSERT_NE(opened.entry, nullptr) << opened.reason;
  EXPECT_EQ(reinterpret_cast<int (*)()>(opened.entry)(), 42);
}

TEST(OpenModule, AMissingModuleIsABuildWithoutIt) {
  const OpenedModule opened = open_module(folder / "libsd_no_such.so", "sd_test_entry", words);
  EXPECT_EQ(opened.entry, nullptr);
  EXPECT_TRUE(holds(opened.reason, "this build has no test module")) << opened.reason;
}

TEST(OpenModule, AMissingLibraryIsNamedWithTheRemedy) {
  const OpenedModule opened = open_module(folder / "libsd_test_needy.so", "sd_test_entry", words);
  EXPECT_EQ(opened.entry, nullptr);
  EXPECT_TRUE(holds(opened.reason, "libsd_test_absent.so: cannot open shared object file")) << opened.reason;
  EXPECT_TRUE(holds(opened.reason, "install the test library")) << opened.reason;
  EXPECT_FALSE(holds(opened.reason, "this build has no")) << opened.reason;
}

TEST(OpenModule, AModuleOfAnotherVersionIsRefused) {
  const OpenedModule opened = open_module(folder / "libsd_test_module.so", "sd_test_entry_v2", words);
  EXPECT_EQ(opened.entry, nullptr);
  EXPECT_TRUE(holds(opened.reason, "another version")) << opened.reason;
}

TEST(OpenModule, AFileThatIsNoLibraryIsAReasonToo) {
  const auto file = std::filesystem::path(::testing::TempDir()) / "libsd_test_text.so";
  std::ofstream(file) << "not a library";
  const OpenedModule opened = open_module(file, "sd_test_entry", words);
  std::filesystem::remove(file);
  EXPECT_EQ(opened.entry, nullptr);
  EXPECT_TRUE(holds(opened.reason, "could not be opened")) << opened.reason;
}

}  // namespace
}  // namespace shakedown
