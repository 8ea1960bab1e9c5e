// SPDX-License-Identifier: Apache-2.0
#include "shakedown/hw/host.h"

#include <gtest/gtest.h>
#include <sys/utsname.h>

namespace shakedown {
namespace {

TEST(Host, IsNamedAsTheKernelNamesIt) {
  utsname names{};
  ASSERT_EQ(uname(&names), 0);
  EXPECT_EQ(host_name(), names.nodename);
}

TEST(Host, HasABootId) { EXPECT_EQ(boot_id().size(), 36u); }

TEST(Host, HasNoBootIdWhereNoneCanBeRead) { EXPECT_EQ(boot_id("/nonexistent"), ""); }

}  // namespace
}  // namespace shakedown
