// SPDX-License-Identifier: Apache-2.0
#include "backends/cublaslt/gemm_rules.h"

#include <gtest/gtest.h>

#include <map>

#include "backends/cublaslt/gemm_notices.h"
#include "backends/cublaslt/throttle_names.h"

namespace shakedown {
namespace {

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

GemmKind kind_of(GemmType type, GemmLayout layout = GemmLayout::tn) { return {.type = type, .layout = layout}; }

TEST(GpuKindRefusal, NamesTheCapabilityThatIsMissing) {
  const std::string reason = gpu_kind_refusal(kind_of(GemmType::float8_e4m3fn), 80);
  EXPECT_TRUE(holds(reason, "8.9") && holds(reason, "8.0")) << reason;
  EXPECT_TRUE(holds(gpu_kind_refusal(kind_of(GemmType::nvfp4), 90), "10.0"));
  EXPECT_TRUE(holds(gpu_kind_refusal(kind_of(GemmType::mxfp8), 90), "10.0"));
  EXPECT_TRUE(holds(gpu_kind_refusal(kind_of(GemmType::bfloat16), 75), "8.0"));
}

TEST(GpuKindRefusal, HopperMultipliesAllButTheBlockScaledTypes) {
  for (const GemmType type : all_gemm_types()) {
    const bool is_scaled = type == GemmType::mxfp8 || type == GemmType::nvfp4;
    EXPECT_EQ(gpu_kind_refusal(kind_of(type), 90).empty(), !is_scaled) << name_of(type);
    EXPECT_EQ(gpu_kind_refusal(kind_of(type), 100), "") << name_of(type);
  }
}

TEST(GpuKindRefusal, Float8HasOtherLayoutsInTheDataCentresBlackwellAlone) {
  const GemmKind kind = kind_of(GemmType::float8_e4m3fn, GemmLayout::nn);
  for (const int capability : {89, 90, 120}) {
    EXPECT_TRUE(holds(gpu_kind_refusal(kind, capability), "TN alone")) << capability;
  }
  EXPECT_EQ(gpu_kind_refusal(kind, 100), "");
  EXPECT_TRUE(holds(gpu_kind_refusal(kind_of(GemmType::int8, GemmLayout::nt), 100), "TN alone"));
  EXPECT_EQ(gpu_kind_refusal(kind_of(GemmType::bfloat16, GemmLayout::tt), 90), "");
}

TEST(GpuKindRefusal, AccumulationsBelongToTheirTypes) {
  const auto refusal = [](GemmType type, Accumulation accumulation) {
    return gpu_kind_refusal({.type = type, .accumulation = accumulation}, 90);
  };
  EXPECT_EQ(refusal(GemmType::float16, Accumulation::half), "");
  EXPECT_EQ(refusal(GemmType::float8_e5m2, Accumulation::fast), "");
  EXPECT_TRUE(holds(refusal(GemmType::bfloat16, Accumulation::half), "float16 alone"));
  EXPECT_TRUE(holds(refusal(GemmType::bfloat16, Accumulation::fast), "float8 types alone"));
}

TEST(GpuShapeRefusal, SaysWhichSideBreaksWhichRule) {
  const std::string reason = gpu_shape_refusal(kind_of(GemmType::float8_e4m3fn), {64, 7, 40});
  EXPECT_TRUE(holds(reason, "k must be a multiple of 16") && holds(reason, "is 40")) << reason;
  EXPECT_TRUE(holds(gpu_shape_refusal(kind_of(GemmType::int8), {62, 64, 64}), "m must be a multiple of 4"));
  EXPECT_EQ(gpu_shape_refusal(kind_of(GemmType::int8), {64, 3, 64}), "");
  EXPECT_EQ(gpu_shape_refusal(kind_of(GemmType::float64), {7, 7, 7}), "");
}

TEST(GpuShapeRefusal, NothingAndTooMuchAreNoSizes) {
  for (const GemmType type : all_gemm_types()) {
    EXPECT_TRUE(holds(gpu_shape_refusal(kind_of(type), {0, 64, 64}), "m must be at least 1")) << name_of(type);
    EXPECT_TRUE(holds(gpu_shape_refusal(kind_of(type), {64, 64, std::uint64_t{1} << 31}), "k must be at most"))
        << name_of(type);
    EXPECT_EQ(gpu_shape_refusal(kind_of(type), {1024, 1024, 1024}), "") << name_of(type);
  }
}

TEST(ThrottleNames, NameEachReasonAndLeaveIdleOut) {
  EXPECT_EQ(throttle_names(0), std::vector<std::string>{});
  EXPECT_EQ(throttle_names(0x1), std::vector<std::string>{});
  EXPECT_EQ(throttle_names(0x4 | 0x1), std::vector<std::string>{"sw_power_cap"});
  EXPECT_EQ(throttle_names(0x8 | 0x20 | 0x40 | 0x80),
            (std::vector<std::string>{"hw_slowdown", "sw_thermal", "hw_thermal", "hw_power_brake"}));
  EXPECT_EQ(throttle_names(0x2 | 0x10), (std::vector<std::string>{"applications_clocks", "sync_boost"}));
  EXPECT_EQ(throttle_names(0x4 | 0x10000), (std::vector<std::string>{"sw_power_cap", "reason 0x10000"}));
}

TEST(GemmNotices, TellVariablesThatChangeTheLibrary) {
  const std::map<std::string, std::string> set{{"NVIDIA_TF32_OVERRIDE", "0"}, {"PATH", "/bin"}};
  const auto notices = notices_of([&](const std::string& name) {
    const auto found = set.find(name);
    return found == set.end() ? std::nullopt : std::optional<std::string>(found->second);
  });
  ASSERT_EQ(notices.size(), 1u);
  EXPECT_TRUE(holds(notices.front(), "NVIDIA_TF32_OVERRIDE=0"));
}

}  // namespace
}  // namespace shakedown
