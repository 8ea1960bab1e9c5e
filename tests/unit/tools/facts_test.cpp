// SPDX-License-Identifier: Apache-2.0
#include "facts.h"

#include <gtest/gtest.h>

#include "shakedown/backends/module.h"
#include "shakedown/base/error.h"

namespace shakedown {
namespace {

RankFacts rank(int number, const std::string& host, NamedValues environment = {}) {
  RankFacts facts;
  facts.info = {.rank = number, .local_rank = number, .host = host, .pid = 1000 + number, .device = std::nullopt};
  facts.boot_id = "boot of " + host;
  facts.environment = std::move(environment);
  return facts;
}

RankFacts with_gpu(RankFacts facts, const std::string& uuid) {
  facts.info.device =
      DeviceInfo{.index = 0, .name = "NVIDIA H200", .uuid = uuid, .pci = "0000:1b:00.0", .memory = Bytes{1u << 30}};
  return facts;
}

TEST(Facts, SurviveTheJourney) {
  RankFacts mine = with_gpu(rank(0, "node-a", {{"NCCL_ALGO", "Ring"}, {"EMPTY", ""}, {"ODD", "a?b"}}), "GPU-1");
  mine.versions = {{"nccl", "2.28.9"}};
  const auto session = make_single_session();
  RankFacts sent = mine;
  sent.environment.back().second =
      "a\x1f"
      "b";  // the character that ends fields
  const RankFacts back = gather_facts(*session, sent).at(0);
  EXPECT_EQ(back.info.host, "node-a");
  EXPECT_EQ(back.info.pid, 1000);
  EXPECT_EQ(back.info.device->uuid, "GPU-1");
  EXPECT_EQ(back.info.device->memory, Bytes{1u << 30});
  EXPECT_EQ(back.versions, mine.versions);
  EXPECT_EQ(back.environment, mine.environment);
  EXPECT_EQ(back.boot_id, "boot of node-a");
}

TEST(Differences, EqualRanksHaveNone) {
  EXPECT_TRUE(find_differences({rank(0, "node-a", {{"NCCL_ALGO", "Ring"}}), rank(1, "node-b", {{"NCCL_ALGO", "Ring"}})})
                  .empty());
}

TEST(Differences, ShowBothValuesAndTheirRanksOnce) {
  const auto found = find_differences(
      {rank(0, "node-a", {{"NCCL_ALGO", "Ring"}}), rank(1, "node-b", {{"NCCL_ALGO", "Tree"}}), rank(2, "node-b")});
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0], "NCCL_ALGO differs: 'Ring' on rank 0 (node-a), 'Tree' on rank 1 (node-b)");
  EXPECT_EQ(find_differences({rank(0, "a"), rank(1, "b", {{"UCX_TLS", "tcp"}})})[0],
            "UCX_TLS differs: not set on rank 0 (a), 'tcp' on rank 1 (b)");
}

TEST(Differences, VariablesThatArePerRankByNatureDontCount) {
  EXPECT_TRUE(
      find_differences({rank(0, "a", {{"NCCL_HOSTID", "1"}, {"CUDA_VISIBLE_DEVICES", "0"}, {"SLURM_PROCID", "0"}}),
                        rank(1, "a", {{"NCCL_HOSTID", "2"}, {"CUDA_VISIBLE_DEVICES", "1"}, {"SLURM_PROCID", "1"}})})
          .empty());
}

TEST(Differences, TwoLibraryVersionsAndTwoMachinesOfOneNameAreTold) {
  RankFacts first = rank(0, "node-a");
  RankFacts second = rank(1, "node-a");
  first.versions = {{"nccl", "2.28.9"}};
  second.versions = {{"nccl", "2.18.1"}};
  second.boot_id = "another";
  const auto found = find_differences({first, second});
  ASSERT_EQ(found.size(), 2u);
  EXPECT_NE(found[0].find("'2.18.1' on rank 1"), std::string::npos);
  EXPECT_NE(found[1].find("two machines are called node-a"), std::string::npos);
}

TEST(SharedGpus, AreRefusedWithBothRanks) {
  EXPECT_NO_THROW(refuse_shared_gpus({with_gpu(rank(0, "a"), "GPU-1"), with_gpu(rank(1, "a"), "GPU-2"), rank(2, "b")}));
  try {
    refuse_shared_gpus({with_gpu(rank(0, "a"), "GPU-1"), with_gpu(rank(1, "a"), "GPU-1")});
    FAIL() << "two ranks on one GPU were accepted";
  } catch (const UsageError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find("ranks 0 and 1 on a hold one GPU"), std::string::npos) << text;
    EXPECT_NE(text.find("--share-gpu"), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace shakedown
