// SPDX-License-Identifier: Apache-2.0
#include "shakedown/hw/siblings.h"

#include <gtest/gtest.h>

#include "support/temporary_directory.h"

namespace shakedown {
namespace {

using testing::TemporaryDirectory;
using testing::write_file;

/// A /proc with the processes that a test puts in.
class Siblings : public ::testing::Test {
 protected:
  /// `variables` are joined by |, where the kernel has a zero byte.
  void put(int pid, std::string variables, const std::string& command, char state, const std::string& thread = "") {
    const auto process = proc_.path() / std::to_string(pid);
    for (char& c : variables) c = c == '|' ? '\0' : c;
    write_file(process / "environ", variables);
    write_file(process / "cmdline", command + '\0' + "--flag" + '\0');
    write_file(process / "stat", std::to_string(pid) + " (odd) name) " + state + " 1 2 3\n");
    write_file(process / "task" / std::to_string(pid) / "comm", "all_reduce_benc\n");
    if (!thread.empty()) write_file(process / "task" / std::to_string(pid + 1) / "comm", thread + "\n");
  }
  [[nodiscard]] std::vector<Sibling> find(const std::string& job) const { return find_siblings(job, proc_.path()); }

 private:
  TemporaryDirectory proc_;
};

TEST_F(Siblings, AreTheProcessesOfTheJobInOrderOfPid) {
  put(30, "PMIX_NAMESPACE=77|PMIX_RANK=5|OMPI_COMM_WORLD_LOCAL_RANK=1|", "/opt/bin/all_reduce_bench", 'R',
      "sd:mpi_init");
  put(4, "HOME=/|PMIX_RANK=4|PMIX_NAMESPACE=77", "sh", 'T');
  put(50, "PMIX_NAMESPACE=778|PMIX_RANK=0|", "other", 'R');
  put(51, "X_PMIX_NAMESPACE=77|PMIX_RANK=0|", "other", 'R');
  const auto found = find("77");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].pid, 4);
  EXPECT_EQ(found[0].rank, 4);
  EXPECT_EQ(found[0].local_rank, std::nullopt);
  EXPECT_EQ(found[0].name, "sh");
  EXPECT_EQ(found[0].state, 'T');
  EXPECT_EQ(found[0].stage, "");
  EXPECT_EQ(found[1].rank, 5);
  EXPECT_EQ(found[1].local_rank, 1);
  EXPECT_EQ(found[1].name, "all_reduce_bench");
  EXPECT_EQ(found[1].state, 'R');
  EXPECT_EQ(found[1].stage, "mpi_init");
  EXPECT_EQ(found[1].mark, StageMark::waiting);
}

TEST_F(Siblings, ShowThatTheirDeadlinePassed) {
  put(4, "PMIX_NAMESPACE=1|PMIX_RANK=0", "tool", 'S', "sd!timed_loop");
  put(9, "PMIX_NAMESPACE=1|PMIX_RANK=1", "tool", 'S', "sd#vote");
  const auto found = find("1");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].stage, "timed_loop");
  EXPECT_EQ(found[0].mark, StageMark::fired);
  EXPECT_EQ(found[1].mark, StageMark::spoken);
}

TEST_F(Siblings, KnowSlurmsLocalRankWhereOpenMpiSaysNone) {
  put(4, "PMIX_NAMESPACE=slurm.1|PMIX_RANK=8|SLURM_LOCALID=3", "tool", 'S');
  put(5, "PMIX_NAMESPACE=slurm.1|PMIX_RANK=9|SLURM_LOCALID=0|OMPI_COMM_WORLD_LOCAL_RANK=4", "tool", 'S');
  const auto found = find("slurm.1");
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].local_rank, 3);
  EXPECT_EQ(found[1].local_rank, 4);
}

TEST_F(Siblings, AreNoneWithoutAJob) {
  put(4, "PMIX_NAMESPACE=|PMIX_RANK=0", "tool", 'S');
  EXPECT_TRUE(find("").empty());
}

TEST(StageThreadName, FitsTheKernel) {
  EXPECT_EQ(stage_thread_name("mpi_init"), "sd:mpi_init");
  EXPECT_EQ(stage_thread_name("vote", StageMark::fired), "sd!vote");
  EXPECT_EQ(stage_thread_name("a_much_longer_code").size(), 15u);
}

}  // namespace
}  // namespace shakedown
