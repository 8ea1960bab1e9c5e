// SPDX-License-Identifier: Apache-2.0
#include "backends/cuda/gpu_absence.h"

#include <gtest/gtest.h>

#include "backends/cuda/cuda_versions.h"

namespace shakedown {
namespace {

GpuProbe probe(cudaError_t status, int driver, std::optional<std::string> visible = {}) {
  return {status, 0, driver, 13000, std::move(visible)};
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(WhyNoGpu, TellsAMissingDriverFromAnOldOne) {
  EXPECT_TRUE(holds(why_no_gpu(probe(cudaErrorInsufficientDriver, 0)), "libcuda.so.1 was not found"));
  const std::string old = why_no_gpu(probe(cudaErrorInsufficientDriver, 12020));
  EXPECT_TRUE(holds(old, "12.2") && holds(old, "13.0")) << old;
}

TEST(WhyNoGpu, TellsAHiddenGpuFromAMachineWithoutOne) {
  EXPECT_TRUE(holds(why_no_gpu(probe(cudaErrorNoDevice, 13000)), "no GPU in this machine"));
  EXPECT_TRUE(holds(why_no_gpu(probe(cudaErrorNoDevice, 13000, "")), "set but empty"));
  EXPECT_TRUE(holds(why_no_gpu(probe(cudaErrorNoDevice, 13000, "-1")), "CUDA_VISIBLE_DEVICES is set to '-1'"));
  EXPECT_TRUE(holds(why_no_gpu(probe(cudaSuccess, 13000, "MIG-aaaa,GPU-8932f937")), "'MIG-aaaa,GPU-8932f937'"));
}

TEST(WhyNoGpu, AMissingDriverCountsBeforeAHiddenGpu) {
  EXPECT_TRUE(holds(why_no_gpu(probe(cudaErrorInsufficientDriver, 0, "")), "no NVIDIA driver"));
}

TEST(WhyNoGpu, NamesTheFabricManagerAndOtherErrors) {
  EXPECT_TRUE(holds(why_no_gpu(probe(cudaErrorSystemNotReady, 13000)), "fabric manager"));
  EXPECT_TRUE(holds(why_no_gpu(probe(cudaErrorStubLibrary, 13000)), "stub"));
  const std::string other = why_no_gpu(probe(cudaErrorUnknown, 13000, "0"));
  EXPECT_TRUE(holds(other, "999") && holds(other, "'0'")) << other;
}

TEST(Versions, ReadBothEncodingsOfNccl) {
  EXPECT_EQ(nccl_version_text(22809), "2.28.9");
  EXPECT_EQ(nccl_version_text(21403), "2.14.3");
  EXPECT_EQ(nccl_version_text(2708), "2.7.8");
}

TEST(Versions, FindTheDriverInEveryFlavourOfItsText) {
  EXPECT_EQ(
      driver_version_in("NVRM version: NVIDIA UNIX x86_64 Kernel Module  470.82.01  Wed Oct 27 21:21:55 UTC 2021\n"
                        "GCC version:  gcc version 9.3.0\n"),
      "470.82.01");
  EXPECT_EQ(
      driver_version_in("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.65.06  Release Build  (dvs)\n"),
      "580.65.06");
  EXPECT_EQ(driver_version_in("GCC only\ngcc version 9.3.0\n"), "");
  EXPECT_EQ(driver_version_in(""), "");
}

}  // namespace
}  // namespace shakedown
