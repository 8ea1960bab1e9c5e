// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "shakedown/app/relaunch.h"
#include "shakedown/base/error.h"

namespace shakedown {
namespace {

RelaunchPlan plan_of(int ranks) {
  RelaunchPlan plan;
  plan.ranks = ranks;
  plan.command = {"/opt/all_reduce_bench", "-b", "1K"};
  plan.cores = 16;
  return plan;
}

std::string line_of(const RelaunchPlan& plan, const std::vector<std::string>& names = {}) {
  return quote_command(mpirun_command(plan, "/usr/bin/mpirun", names));
}

bool has(const std::string& line, const std::string& part) {
  return (" " + line + " ").find(" " + part + " ") != std::string::npos;
}

TEST(MpirunCommand, StartsTheRanksUnbound) {
  EXPECT_EQ(line_of(plan_of(2)), "/usr/bin/mpirun -np 2 --oversubscribe --bind-to none /opt/all_reduce_bench -b 1K");
}

TEST(MpirunCommand, AllowsRootOnlyToRoot) {
  RelaunchPlan plan = plan_of(2);
  EXPECT_FALSE(has(line_of(plan), "--allow-run-as-root"));
  plan.is_root = true;
  EXPECT_TRUE(has(line_of(plan), "--allow-run-as-root"));
}

TEST(MpirunCommand, HandsOnWhatDecidesTheSpeedAndNothingElse) {
  RelaunchPlan plan = plan_of(2);
  plan.terminals = "1:ic:80/2::80";
  const std::string line = line_of(plan, {"CUDA_VISIBLE_DEVICES", "HOME", "LD_LIBRARY_PATH", "MY_NCCL_X", "NCCL_DEBUG",
                                          "NVIDIA_TF32_OVERRIDE", "OMPI_MCA_btl", "PATH", "PATHS", "UCX_TLS"});
  EXPECT_TRUE(
      has(line,
          "-x CUDA_VISIBLE_DEVICES -x LD_LIBRARY_PATH -x NCCL_DEBUG -x NVIDIA_TF32_OVERRIDE -x PATH -x UCX_TLS -x "
          "SHAKEDOWN_TERMINAL=1:ic:80/2::80 /opt/all_reduce_bench"))
      << line;
}

TEST(MpirunCommand, GivesEachHostItsShareOfSlots) {
  RelaunchPlan plan = plan_of(4);
  plan.hosts = "a,b";
  EXPECT_TRUE(has(line_of(plan), "--host a:2,b:2")) << line_of(plan);
  plan.ranks = 5;
  EXPECT_TRUE(has(line_of(plan), "--host a:3,b:3")) << line_of(plan);
}

TEST(MpirunCommand, GivesNoMoreSlotsThanCoresSoThatRanksYield) {
  RelaunchPlan plan = plan_of(8);
  plan.cores = 2;
  plan.hosts = "a,b";
  EXPECT_TRUE(has(line_of(plan), "--host a:2,b:2")) << line_of(plan);
  plan.with_gpus = true;
  EXPECT_TRUE(has(line_of(plan), "--host a:4,b:4")) << line_of(plan);
}

TEST(MpirunCommand, PutsAsManyRanksOnANodeAsItHasGpus) {
  RelaunchPlan plan = plan_of(16);
  plan.ranks_per_node = 8;
  plan.with_gpus = true;
  EXPECT_TRUE(has(line_of(plan), "--map-by ppr:8:node"));
  plan.hosts = "a,b";
  EXPECT_TRUE(has(line_of(plan), "--host a:8,b:8 --map-by ppr:8:node")) << line_of(plan);
}

TEST(MpirunCommand, BelievesSlotsThatTheUserGives) {
  RelaunchPlan plan = plan_of(4);
  plan.hosts = "a:3,b:1";
  EXPECT_TRUE(has(line_of(plan), "--host a:3,b:1"));
  plan.hosts = "a:3,b";
  EXPECT_TRUE(has(line_of(plan), "--host a:3,b:2"));
  plan.hosts.reset();
  plan.hostfile = "my hosts";
  EXPECT_TRUE(has(line_of(plan), "--hostfile 'my hosts'"));
}

TEST(MpirunCommand, RefusesHostListsThatCanNotBe) {
  RelaunchPlan plan = plan_of(4);
  for (const auto& [hosts, part] :
       std::vector<std::pair<std::string, std::string>>{{"a:2,b:1", "room for 3 ranks, and 4 are asked"},
                                                        {"a:0,b:9", "1 or more"},
                                                        {"a:x", "a:4"},
                                                        {",", "names no host"}}) {
    plan.hosts = hosts;
    try {
      line_of(plan);
      ADD_FAILURE() << hosts << " was accepted";
    } catch (const UsageError& error) {
      EXPECT_NE(std::string{error.what()}.find(part), std::string::npos) << error.what();
    }
  }
}

TEST(QuoteCommand, CanBePastedIntoAShell) {
  EXPECT_EQ(quote_command({"a", "b c", "", "it's", "$x", "k=v,w"}), "a 'b c' '' 'it'\\''s' '$x' k=v,w");
}

}  // namespace
}  // namespace shakedown
