// SPDX-License-Identifier: Apache-2.0
#include "shakedown/model/verdict.h"

#include <gtest/gtest.h>

namespace shakedown {
namespace {

using Reasons = std::vector<std::string>;

TEST(Verdict, FailBeatsWarnBeatsPass) {
  const Check pass{"a", CheckStatus::pass, "fine"};
  const Check warn{"b", CheckStatus::warn, "slow"};
  const Check fail{"c", CheckStatus::fail, "wrong"};
  EXPECT_EQ(judge({pass, warn, fail}).status, CheckStatus::fail);
  EXPECT_EQ(judge({pass, warn}).status, CheckStatus::warn);
  EXPECT_EQ(judge({pass}).status, CheckStatus::pass);
}

TEST(Verdict, UnknownIsNeverAPassAndIsCounted) {
  const Check pass{"a", CheckStatus::pass, "fine"};
  const Check unknown{"b", CheckStatus::unknown, "not looked at"};
  EXPECT_EQ(judge({}).status, CheckStatus::unknown);
  EXPECT_EQ(judge({unknown}).status, CheckStatus::unknown);
  EXPECT_EQ(judge({unknown, pass, unknown}).status, CheckStatus::pass);
  EXPECT_EQ(judge({unknown, pass, unknown}).unknown, 2);
  EXPECT_EQ(judge({pass}).unknown, 0);
}

TEST(Verdict, TellsWhatDidNotPassTheGravestFirst) {
  const Verdict verdict = judge({{"a", CheckStatus::unknown, "not looked at"},
                                 {"b", CheckStatus::warn, "slow"},
                                 {"c", CheckStatus::pass, "fine"},
                                 {"d", CheckStatus::fail, "wrong"}});
  EXPECT_EQ(verdict.reasons, (Reasons{"wrong", "slow", "not looked at"}));
}

TEST(Verdict, Names) {
  EXPECT_EQ(name_of(CheckStatus::pass), "pass");
  EXPECT_EQ(name_of(CheckStatus::warn), "warn");
  EXPECT_EQ(name_of(CheckStatus::fail), "fail");
  EXPECT_EQ(name_of(CheckStatus::unknown), "unknown");
}

}  // namespace
}  // namespace shakedown
