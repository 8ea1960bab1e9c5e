// SPDX-License-Identifier: Apache-2.0
#include "shakedown/comm/launch_env.h"

#include <gtest/gtest.h>

#include <map>

#include "shakedown/base/error.h"

namespace shakedown {
namespace {

using Variables = std::map<std::string, std::string>;

LaunchEnv read(const Variables& variables) {
  return read_launch_env([&](const std::string& name) -> std::optional<std::string> {
    const auto found = variables.find(name);
    if (found == variables.end()) return std::nullopt;
    return found->second;
  });
}

std::string message_of(const std::function<void()>& body) {
  try {
    body();
  } catch (const UsageError& error) {
    return error.what();
  }
  return {};
}

TEST(LaunchEnv, AnEmptyEnvironmentIsByHand) {
  const LaunchEnv launch = read({});
  EXPECT_EQ(launch.launcher, Launcher::none);
  EXPECT_FALSE(launch.slurm_allocation);
  EXPECT_NO_THROW(check_joinable(launch));
  EXPECT_NO_THROW(check_world_size(launch, 1));
}

TEST(LaunchEnv, MpirunAnnouncesItsSizeEvenWhenItIsOne) {
  EXPECT_EQ(read({{"OMPI_COMM_WORLD_SIZE", "1"}}).launcher, Launcher::open_mpi);
  const LaunchEnv launch = read({{"OMPI_COMM_WORLD_SIZE", "4"},
                                 {"OMPI_COMM_WORLD_RANK", "3"},
                                 {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                                 {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"}});
  EXPECT_EQ(launch.announced_size, 4);
  EXPECT_EQ(launch.rank, 3);
  EXPECT_EQ(launch.local_rank, 1);
  EXPECT_EQ(launch.local_size, 2);
}

TEST(LaunchEnv, StaleVariablesOfOtherLaunchersDoNotBeatMpirun) {
  const LaunchEnv launch = read({{"OMPI_COMM_WORLD_SIZE", "2"},
                                 {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                                 {"WORLD_SIZE", "8"},
                                 {"LOCAL_RANK", "0"},
                                 {"SLURM_LOCALID", "0"},
                                 {"SLURM_STEP_ID", "0"},
                                 {"SLURM_STEP_NUM_TASKS", "9"}});
  EXPECT_EQ(launch.launcher, Launcher::open_mpi);
  EXPECT_EQ(launch.announced_size, 2);
  EXPECT_EQ(launch.local_rank, 1);
}

TEST(LaunchEnv, VariablesThatDecideNothingMayHoldAnything) {
  EXPECT_NO_THROW(read({{"LOCAL_RANK", "abc"}}));
  EXPECT_NO_THROW(read({{"LOCAL_RANK", "99999999999"}}));
  EXPECT_NO_THROW(read({{"OMPI_COMM_WORLD_SIZE", "1"}, {"OMPI_COMM_WORLD_LOCAL_RANK", ""}}));
}

TEST(LaunchEnv, BadTextInADecidingVariableIsNamed) {
  for (const char* bad : {"abc", "-1", "99999999999", "2x"}) {
    const std::string message = message_of([&] { read({{"OMPI_COMM_WORLD_SIZE", bad}}); });
    EXPECT_NE(message.find("OMPI_COMM_WORLD_SIZE='" + std::string(bad) + "'"), std::string::npos) << message;
  }
}

TEST(LaunchEnv, AnAllocationIsNotAStep) {
  const LaunchEnv launch = read({{"SLURM_JOB_ID", "7"}, {"SLURM_NTASKS", "16"}, {"SLURM_NNODES", "2"}});
  EXPECT_EQ(launch.launcher, Launcher::none);
  EXPECT_TRUE(launch.slurm_allocation);
  EXPECT_EQ(launch.slurm_nodes, 2);
}

TEST(LaunchEnv, AStepOfSeveralTasksNeedsPmix) {
  Variables step{{"SLURM_JOB_ID", "7"}, {"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "3"}, {"SLURM_PROCID", "2"}};
  const std::string message = message_of([&] { check_joinable(read(step)); });
  EXPECT_NE(message.find("3 tasks"), std::string::npos) << message;
  EXPECT_NE(message.find("world of 1"), std::string::npos) << message;
  EXPECT_NE(message.find("srun --mpi=pmix"), std::string::npos) << message;
  step["PMIX_NAMESPACE"] = "slurm.pmix.7.0";
  step["PMIX_RANK"] = "2";
  EXPECT_NO_THROW(check_joinable(read(step)));
}

TEST(LaunchEnv, AStepTellsTheTasksOfItsNode) {
  const auto on_node = [](const std::string& list, const std::string& node) {
    return read({{"SLURM_STEP_ID", "0"},
                 {"SLURM_STEP_NUM_TASKS", "11"},
                 {"SLURM_STEP_TASKS_PER_NODE", list},
                 {"SLURM_NODEID", node}})
        .local_size;
  };
  EXPECT_EQ(on_node("4(x2),3", "0"), 4);
  EXPECT_EQ(on_node("4(x2),3", "1"), 4);
  EXPECT_EQ(on_node("4(x2),3", "2"), 3);
  EXPECT_EQ(on_node("4(x2),3", "3"), std::nullopt);
  EXPECT_EQ(on_node("11", "0"), 11);
  for (const char* bad : {"", "x", "4(x", "4(x2", "4;3"}) EXPECT_EQ(on_node(bad, "1"), std::nullopt) << bad;
}

TEST(LaunchEnv, ARankBeyondItsWorldIsStale) {
  const std::string message = message_of([] { read({{"OMPI_COMM_WORLD_SIZE", "1"}, {"OMPI_COMM_WORLD_RANK", "1"}}); });
  EXPECT_NE(message.find("OMPI_COMM_WORLD_RANK=1"), std::string::npos) << message;
}

TEST(LaunchEnv, AStepOfOneTaskIsByHand) {
  EXPECT_EQ(read({{"SLURM_STEP_ID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}}).launcher, Launcher::none);
}

TEST(LaunchEnv, TorchrunIsRefusedWithTheRemedy) {
  const std::string message = message_of([] { check_joinable(read({{"WORLD_SIZE", "8"}, {"RANK", "3"}})); });
  EXPECT_NE(message.find("8 ranks"), std::string::npos) << message;
  EXPECT_NE(message.find("--ranks"), std::string::npos) << message;
  EXPECT_EQ(read({{"WORLD_SIZE", "1"}}).launcher, Launcher::none);
}

TEST(LaunchEnv, AnAnnouncedSizeThatTheWorldDoesNotHaveIsAnErrorWithBothNumbers) {
  const std::string message = message_of([] { check_world_size(read({{"OMPI_COMM_WORLD_SIZE", "2"}}), 1); });
  EXPECT_NE(message.find("2 ranks"), std::string::npos) << message;
  EXPECT_NE(message.find("MPI says 1"), std::string::npos) << message;
}

}  // namespace
}  // namespace shakedown
