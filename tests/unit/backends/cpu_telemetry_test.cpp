// SPDX-License-Identifier: Apache-2.0
#include "backends/host_matrix/cpu_telemetry.h"

#include <gtest/gtest.h>

#include <string>

#include "support/temporary_directory.h"

namespace shakedown {
namespace {

using testing::TemporaryDirectory;
using testing::write_file;

/// A /sys with the sensors that a test puts in.
class CpuSensors : public ::testing::Test {
 protected:
  void put(const std::string& name, const std::string& text) { write_file(root_.path() / "sys" / name, text + "\n"); }
  void put_energy(const std::string& zone, const std::string& name, const std::string& uj) {
    put("class/powercap/" + zone + "/name", name);
    put("class/powercap/" + zone + "/energy_uj", uj);
    put("class/powercap/" + zone + "/max_energy_range_uj", "1000000000");
    put("class/powercap/" + zone + "/constraint_0_power_limit_uw", "200000000");
  }
  [[nodiscard]] CpuTelemetry open() const { return CpuTelemetry{{0, 1}, root_.path()}; }

 private:
  TemporaryDirectory root_;
};

TEST_F(CpuSensors, AreNoneInABareMachine) {
  CpuTelemetry telemetry = open();
  EXPECT_FALSE(telemetry.has_sensors());
  const TelemetryReading reading = telemetry.read();
  EXPECT_FALSE(reading.clock_mhz || reading.power_w || reading.energy_j || reading.temperature_c);
  EXPECT_FALSE(telemetry.power_limit_w().has_value());
}

TEST_F(CpuSensors, TellTheMeanClockOfTheCoresInUse) {
  put("devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "3000000");
  put("devices/system/cpu/cpu1/cpufreq/scaling_cur_freq", "3400000");
  put("devices/system/cpu/cpu2/cpufreq/scaling_cur_freq", "800000");
  CpuTelemetry telemetry = open();
  EXPECT_TRUE(telemetry.has_sensors());
  EXPECT_EQ(telemetry.read().clock_mhz, 3200);
}

TEST_F(CpuSensors, AddThePackagesEnergyAcrossAWrap) {
  put_energy("intel-rapl:0", "package-0", "999000000");
  put_energy("intel-rapl:1", "package-1", "100");
  put_energy("intel-rapl:0:0", "core", "5");
  CpuTelemetry telemetry = open();
  EXPECT_EQ(telemetry.read().energy_j, 0);
  put_energy("intel-rapl:0", "package-0", "4000000");
  put_energy("intel-rapl:1", "package-1", "2000100");
  put_energy("intel-rapl:0:0", "core", "90000000");
  EXPECT_NEAR(telemetry.read().energy_j.value_or(0), 5 + 2, 1e-9);
  EXPECT_EQ(telemetry.power_limit_w(), 400);
}

TEST_F(CpuSensors, TellTheHottestPackage) {
  put("class/hwmon/hwmon0/name", "nvme");
  put("class/hwmon/hwmon0/temp1_input", "90000");
  put("class/hwmon/hwmon1/name", "coretemp");
  put("class/hwmon/hwmon1/temp1_input", "41000");
  put("class/hwmon/hwmon2/name", "coretemp");
  put("class/hwmon/hwmon2/temp1_input", "55000");
  EXPECT_EQ(open().read().temperature_c, 55);
}

}  // namespace
}  // namespace shakedown
