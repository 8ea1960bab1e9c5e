// SPDX-License-Identifier: Apache-2.0
#include "by_hand.h"

#include <gtest/gtest.h>

#include "shakedown/base/error.h"

namespace shakedown {
namespace {

const BackendChoice cpu{.gpu = false, .reason = "no GPU"};
const BackendChoice gpu{.gpu = true, .reason = "8 visible GPUs"};

TEST(ByHand, OneRankAGpuOrTwoOnTheCpu) {
  const ByHandPlan eight = plan_by_hand({}, {}, gpu, 8, "");
  EXPECT_EQ(eight.ranks, 8);
  EXPECT_TRUE(eight.relaunch);
  EXPECT_EQ(plan_by_hand({}, {}, cpu, 0, "").ranks, 2);
}

TEST(ByHand, OneGpuNeedsNoLauncher) { EXPECT_FALSE(plan_by_hand({}, {}, gpu, 1, "").relaunch); }

TEST(ByHand, AnAllocationMeansAllItsNodes) {
  LaunchEnv launch;
  launch.slurm_allocation = true;
  launch.slurm_nodes = 4;
  const ByHandPlan plan = plan_by_hand({}, launch, gpu, 8, "");
  EXPECT_EQ(plan.ranks, 32);
  EXPECT_EQ(plan.ranks_per_node, 8);
  EXPECT_EQ(plan_by_hand({}, launch, cpu, 0, "").ranks, 4);
}

TEST(ByHand, RanksAreTheTotalOverTheHosts) {
  Options options;
  options.hosts = "node-a,node-b";
  EXPECT_EQ(plan_by_hand(options, {}, gpu, 8, "").ranks, 16);
  options.ranks = 4;
  const ByHandPlan plan = plan_by_hand(options, {}, gpu, 8, "");
  EXPECT_EQ(plan.ranks, 4);
  EXPECT_EQ(plan.ranks_per_node, 0);
}

TEST(ByHand, MoreRanksThanGpusAreRefusedUnlessTheyShare) {
  Options options;
  options.ranks = 2;
  try {
    plan_by_hand(options, {}, gpu, 1, "");
    FAIL() << "two ranks on one GPU were accepted";
  } catch (const UsageError& error) {
    EXPECT_NE(std::string(error.what()).find("2 ranks, 1 visible GPU;"), std::string::npos) << error.what();
  }
  options.share_gpu = true;
  EXPECT_EQ(plan_by_hand(options, {}, gpu, 1, "").ranks, 2);
}

TEST(ByHand, WithoutMpiADefaultRunHasOneRankAndSaysSo) {
  const ByHandPlan plan = plan_by_hand({}, {}, cpu, 0, "this build has no MPI module");
  EXPECT_EQ(plan.ranks, 1);
  EXPECT_FALSE(plan.relaunch);
  EXPECT_NE(plan.remark.find("this build has no MPI module"), std::string::npos);
  Options options;
  options.ranks = 2;
  EXPECT_THROW(plan_by_hand(options, {}, cpu, 0, "this build has no MPI module"), Unavailable);
}

TEST(Backend, CudaWithoutAUsableGpuIsUnavailable) {
  EXPECT_THROW(choose_backend("cuda", {.module = nullptr, .count = 0, .reason = "no NVIDIA driver"}), Unavailable);
  const BackendChoice choice = choose_backend("auto", {.module = nullptr, .count = 0, .reason = "no NVIDIA driver"});
  EXPECT_FALSE(choice.gpu);
  EXPECT_EQ(choice.reason, "no NVIDIA driver");
  EXPECT_TRUE(choose_backend("auto", {.module = nullptr, .count = 2, .reason = ""}).gpu);
}

}  // namespace
}  // namespace shakedown
