// SPDX-License-Identifier: Apache-2.0
#include "shakedown/app/environment.h"

#include <gtest/gtest.h>

#include <array>
#include <regex>

namespace shakedown {
namespace {

TEST(ReportableEnvironment, HoldsWhatDecidesTheSpeedSortedByName) {
  const std::array<const char*, 6> environment{
      "UCX_TLS=rc=x", "HOME=/root", "NCCL_DEBUG=", "LD_PRELOAD=a.so", "PS1=NCCL_", nullptr};
  const NamedValues expected{{"LD_PRELOAD", "a.so"}, {"NCCL_DEBUG", ""}, {"UCX_TLS", "rc=x"}};
  EXPECT_EQ(reportable_environment(environment.data()), expected);
}

TEST(ReportableEnvironment, NeverHoldsASecret) {
  const std::array<const char*, 8> environment{
      "SLURM_JWT=1",        "NCCL_token_X=1", "UCX_My_Secret=1",   "SLURM_PASSWORD=1",
      "CUDA_CREDENTIALS=1", "FI_Key=1",       "OMPI_MCA_keyval=1", nullptr};
  EXPECT_TRUE(reportable_environment(environment.data()).empty());
}

TEST(EnvironmentNames, AreSortedAndSurviveOddEntries) {
  const std::array<const char*, 5> environment{"B=1", "no_equals_sign", "=nameless", "A=", nullptr};
  EXPECT_EQ(environment_names(environment.data()), (std::vector<std::string>{"A", "B"}));
  EXPECT_TRUE(environment_names(nullptr).empty());
}

TEST(UtcNow, IsIso8601) {
  EXPECT_TRUE(std::regex_match(utc_now(), std::regex{R"(20\d\d-[01]\d-[0-3]\dT[0-2]\d:[0-5]\d:[0-6]\dZ)"}))
      << utc_now();
}

}  // namespace
}  // namespace shakedown
