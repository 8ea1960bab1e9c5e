// SPDX-License-Identifier: Apache-2.0
#include "shakedown/base/env.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace shakedown {
namespace {

TEST(ProcessEnvironment, TellsEmptyFromUnset) {
  const EnvLookup env = process_environment();
  ASSERT_EQ(setenv("SHAKEDOWN_ENV_TEST", "", 1), 0);
  EXPECT_EQ(env("SHAKEDOWN_ENV_TEST"), "");
  ASSERT_EQ(setenv("SHAKEDOWN_ENV_TEST", "value", 1), 0);
  EXPECT_EQ(env("SHAKEDOWN_ENV_TEST"), "value");
  ASSERT_EQ(unsetenv("SHAKEDOWN_ENV_TEST"), 0);
  EXPECT_EQ(env("SHAKEDOWN_ENV_TEST"), std::nullopt);
}

}  // namespace
}  // namespace shakedown
