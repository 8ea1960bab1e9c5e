// SPDX-License-Identifier: Apache-2.0
#include "shakedown/hw/memory.h"

#include <gtest/gtest.h>

#include "support/temporary_directory.h"

namespace shakedown {
namespace {

using testing::TemporaryDirectory;
using testing::write_file;

constexpr std::uint64_t mib = 1024 * 1024;

/// A tree with 1000 MiB available, in which tests put cgroups.
class Memory : public ::testing::Test {
 protected:
  Memory() {
    put("proc/meminfo", "MemTotal:       2048000 kB\nMemFree:  10 kB\nMemAvailable:   1024000 kB\nBuffers: 1 kB\n");
  }
  void put(const std::string& name, const std::string& text) { write_file(root_.path() / name, text); }
  void put(const std::string& name, std::uint64_t number) { put(name, std::to_string(number) + "\n"); }
  [[nodiscard]] std::uint64_t available() const { return available_host_memory(root_.path()).count; }

 private:
  TemporaryDirectory root_;
};

TEST_F(Memory, IsWhatTheKernelCallsAvailable) { EXPECT_EQ(available(), 1000 * mib); }

TEST_F(Memory, IsTheRoomUnderACgroupV2Limit) {
  put("proc/self/cgroup", "0::/job/step\n");
  put("sys/fs/cgroup/job/step/memory.max", 500 * mib);
  put("sys/fs/cgroup/job/step/memory.current", 300 * mib);
  put("sys/fs/cgroup/job/step/memory.stat",
      "anon 1\nfile 2\ninactive_file " + std::to_string(50 * mib) + "\nactive_file 9\n");
  EXPECT_EQ(available(), 250 * mib);
}

TEST_F(Memory, TakesTheTightestLimitOnTheWayUp) {
  put("proc/self/cgroup", "0::/job/step\n");
  put("sys/fs/cgroup/job/step/memory.max", "max\n");
  put("sys/fs/cgroup/job/memory.max", 200 * mib);
  put("sys/fs/cgroup/job/memory.current", 80 * mib);
  put("sys/fs/cgroup/memory.max", 900 * mib);
  EXPECT_EQ(available(), 120 * mib);
}

TEST_F(Memory, IsZeroInAFullGroup) {
  put("proc/self/cgroup", "0::/job\n");
  put("sys/fs/cgroup/job/memory.max", 100 * mib);
  put("sys/fs/cgroup/job/memory.current", 101 * mib);
  EXPECT_EQ(available(), 0u);
}

TEST_F(Memory, ReadsTheContainersOwnRootWhenThePathIsTheHosts) {
  put("proc/self/cgroup", "12:cpu,cpuacct:/docker/0123\n7:memory:/docker/0123\n0::/\n");
  put("sys/fs/cgroup/memory/memory.limit_in_bytes", 400 * mib);
  put("sys/fs/cgroup/memory/memory.usage_in_bytes", 100 * mib);
  put("sys/fs/cgroup/memory/memory.stat",
      "cache 5\ninactive_file 7\ntotal_inactive_file " + std::to_string(10 * mib) + "\n");
  EXPECT_EQ(available(), 310 * mib);
}

TEST_F(Memory, KnowsHowVersion1SpellsNoLimit) {
  put("proc/self/cgroup", "7:memory:/\n");
  put("sys/fs/cgroup/memory/memory.limit_in_bytes", 9223372036854771712u);
  put("sys/fs/cgroup/memory/memory.usage_in_bytes", 100 * mib);
  EXPECT_EQ(available(), 1000 * mib);
}

TEST(MemoryOfNowhere, IsZero) { EXPECT_EQ(available_host_memory("/nonexistent").count, 0u); }

TEST(MemoryOfThisHost, IsSome) { EXPECT_GT(available_host_memory().count, 0u); }

}  // namespace
}  // namespace shakedown
