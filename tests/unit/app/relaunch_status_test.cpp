// SPDX-License-Identifier: Apache-2.0
#include "app/relaunch_status.h"

#include <gtest/gtest.h>

#include <csignal>

namespace shakedown {
namespace {

int exited(int code) { return code << 8; }

TEST(RelaunchStatus, IsTheRanksOwn) {
  for (const int code : {0, 1, 2, 3, 4, 5, 129, 130, 143}) {
    const RelaunchStatus status = judge_mpirun_status(exited(code), 0);
    EXPECT_EQ(status.code, code);
    EXPECT_EQ(status.message, "");
  }
}

TEST(RelaunchStatus, IsTheSignalThatWeReceived) {
  EXPECT_EQ(judge_mpirun_status(exited(1), SIGINT).code, 130);  // mpirun's own status for a signal is 1
  EXPECT_EQ(judge_mpirun_status(SIGKILL, SIGTERM).code, 143);
}

TEST(RelaunchStatus, IsAFailureWithAMessageWhenARankOrMpirunWasKilled) {
  EXPECT_EQ(judge_mpirun_status(exited(137), 0).code, 1);
  EXPECT_NE(judge_mpirun_status(exited(139), 0).message.find("signal 11"), std::string::npos);
  EXPECT_EQ(judge_mpirun_status(SIGSEGV, 0).code, 1);
  EXPECT_NE(judge_mpirun_status(SIGSEGV, 0).message.find("mpirun itself"), std::string::npos);
  EXPECT_EQ(judge_mpirun_status(exited(255), 0).code, 1);
  EXPECT_NE(judge_mpirun_status(exited(255), 0).message.find("255"), std::string::npos);
}

}  // namespace
}  // namespace shakedown
