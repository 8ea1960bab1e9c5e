// SPDX-License-Identifier: Apache-2.0
#include "shakedown/hw/cpu_topology.h"

#include <gtest/gtest.h>

#include <string>

#include "support/temporary_directory.h"

namespace shakedown {
namespace {

using testing::TemporaryDirectory;
using testing::write_file;

/// Two packages of two cores of two threads: CPUs 0 to 3 are the first threads, 4 to 7 the second.
class CpuTopology : public ::testing::Test {
 protected:
  CpuTopology() {
    for (int cpu = 0; cpu < 8; ++cpu) {
      const std::string folder = "sys/devices/system/cpu/cpu" + std::to_string(cpu);
      put(folder + "/topology/physical_package_id", std::to_string(cpu % 4 / 2));
      put(folder + "/topology/core_id", std::to_string(cpu % 2));
      put_cache(folder + "/cache/index0", "1", std::to_string(cpu), "32K");
      put_cache(folder + "/cache/index1", "2", std::to_string(cpu), "1M");
      put_cache(folder + "/cache/index2", "3", cpu % 4 < 2 ? "0-1,4-5" : "2-3,6-7", "32768K");
    }
  }
  void put(const std::string& name, const std::string& text) { write_file(root_.path() / name, text + "\n"); }
  void put_cache(const std::string& folder, const std::string& level, const std::string& sharers,
                 const std::string& size) {
    put(folder + "/level", level);
    put(folder + "/shared_cpu_list", sharers);
    put(folder + "/size", size);
  }
  [[nodiscard]] std::vector<int> cores(const std::vector<int>& allowed) const {
    return one_cpu_a_core(allowed, root_.path());
  }
  [[nodiscard]] const std::filesystem::path& root() const { return root_.path(); }

 private:
  TemporaryDirectory root_;
};

constexpr std::uint64_t mib = std::uint64_t{1} << 20;
using Cpus = std::vector<int>;

TEST_F(CpuTopology, TakesOneThreadOfEachCore) { EXPECT_EQ(cores({0, 1, 2, 3, 4, 5, 6, 7}), (Cpus{0, 1, 2, 3})); }

TEST_F(CpuTopology, KeepsToTheAffinity) {
  EXPECT_EQ(cores({2, 5, 6}), (Cpus{2, 5}));
  EXPECT_EQ(cores({7}), (Cpus{7}));
}

TEST_F(CpuTopology, KeepsToTheQuotaOfItsGroups) {
  put("proc/self/cgroup", "0::/job/step");
  put("sys/fs/cgroup/job/cpu.max", "250000 100000");
  put("sys/fs/cgroup/job/step/cpu.max", "max 100000");
  EXPECT_EQ(cores({0, 1, 2, 3}), (Cpus{0, 1}));
}

TEST_F(CpuTopology, UsesACoreEvenOfLessThanOne) {
  put("proc/self/cgroup", "0::/");
  put("sys/fs/cgroup/cpu.max", "50000 100000");
  EXPECT_EQ(cores({0, 1, 2, 3}), (Cpus{0}));
}

TEST_F(CpuTopology, ReadsQuotasOfVersion1) {
  put("proc/self/cgroup", "4:cpu,cpuacct:/docker/0123\n2:memory:/docker/0123");
  put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "300000");
  put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000");
  EXPECT_EQ(cores({0, 1, 2, 3}), (Cpus{0, 1, 2}));
  put("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1");
  EXPECT_EQ(cores({0, 1, 2, 3}).size(), 4u);
}

TEST_F(CpuTopology, AddsTheLastLevelCachesUnderItsCpus) {
  EXPECT_EQ(last_level_cache({0, 1}, root()).count, 32 * mib);
  EXPECT_EQ(last_level_cache({0, 4}, root()).count, 32 * mib);
  EXPECT_EQ(last_level_cache({0, 1, 2, 3}, root()).count, 64 * mib);
}

TEST_F(CpuTopology, HasNoClockWhereNoneIsTold) {
  EXPECT_EQ(max_clock_mhz(0, root()), std::nullopt);
  put("sys/devices/system/cpu/cpu1/cpufreq/cpuinfo_max_freq", "3700000");
  EXPECT_EQ(max_clock_mhz(1, root()), 3700);
}

TEST(CpuTopologyOfNowhere, TakesWhatIsAllowed) {
  EXPECT_EQ(one_cpu_a_core({1, 4}, "/nonexistent"), (Cpus{1, 4}));
  EXPECT_EQ(last_level_cache({1, 4}, "/nonexistent").count, 0u);
}

TEST(CpuTopologyOfThisHost, HasACore) { EXPECT_FALSE(usable_cores().empty()); }

}  // namespace
}  // namespace shakedown
