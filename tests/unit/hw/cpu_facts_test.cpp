// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "shakedown/hw/gemm_peak.h"

namespace shakedown {
namespace {

// Shortened to what is read, as processors of these kinds say it.
constexpr const char* sapphire_rapids =
    "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 143\nmodel name\t: Intel(R) Xeon(R) "
    "Platinum "
    "8480+\ncpu MHz\t\t: 2000.000\nflags\t\t: fpu avx2 avx512f avx_vnni avx512_bf16 avx512_vnni amx_bf16 avx512_fp16 "
    "amx_tile amx_int8\n\nprocessor\t: 1\nvendor_id\t: other\nmodel name\t: another\nflags\t\t: none\n";
constexpr const char* skylake =
    "processor : 0\nvendor_id : GenuineIntel\ncpu family : 6\nmodel : 85\nmodel name : Intel(R) Xeon(R) Gold 6148 CPU "
    "@ "
    "2.40GHz\nflags : avx2 avx512f avx512bw\n";
constexpr const char* tiger_lake =
    "vendor_id : GenuineIntel\ncpu family : 6\nmodel : 140\nmodel name : 11th Gen Intel(R) Core(TM) i7-1165G7\nflags : "
    "avx2 avx512f avx512_vnni\n";
constexpr const char* alder_lake =
    "vendor_id : GenuineIntel\ncpu family : 6\nmodel : 151\nmodel name : 12th Gen Intel(R) Core(TM) i9-12900K\nflags : "
    "avx2 avx_vnni\n";
constexpr const char* genoa =
    "vendor_id : AuthenticAMD\ncpu family : 25\nmodel : 17\nmodel name : AMD EPYC 9B14\nflags : avx2 avx512f "
    "avx512_bf16 "
    "avx512_vnni\n";
constexpr const char* milan =
    "vendor_id : AuthenticAMD\ncpu family : 25\nmodel : 1\nmodel name : AMD EPYC 7763 64-Core Processor\nflags : "
    "avx2\n";
constexpr const char* naples =
    "vendor_id : AuthenticAMD\ncpu family : 23\nmodel : 1\nmodel name : AMD EPYC 7601 32-Core Processor\nflags : "
    "avx2\n";
constexpr const char* turin =
    "vendor_id : AuthenticAMD\ncpu family : 26\nmodel : 2\nmodel name : AMD EPYC 9755 128-Core Processor\nflags : avx2 "
    "avx_vnni avx512f avx512_bf16 avx512_vnni\n";
constexpr const char* grace =
    "processor\t: 0\nBogoMIPS\t: 2000.00\nFeatures\t: fp asimd sve i8mm bf16 sve2\nCPU implementer\t: 0x41\nCPU "
    "architecture: 8\nCPU variant\t: 0x0\nCPU part\t: 0xd4f\n\nprocessor\t: 1\nCPU part\t: 0x000\n";

TEST(CpuFacts, AreThoseOfTheFirstProcessor) {
  const CpuFacts cpu = parse_cpu_facts(sapphire_rapids);
  EXPECT_EQ(cpu.name, "Intel(R) Xeon(R) Platinum 8480+");
  EXPECT_EQ(cpu.vendor, "GenuineIntel");
  EXPECT_EQ(cpu.family, 6);
  EXPECT_EQ(cpu.model, 143);
  EXPECT_TRUE(cpu.avx2 && cpu.avx512 && cpu.avx_vnni && cpu.avx512_vnni && cpu.avx512_bf16 && cpu.avx512_fp16);
  EXPECT_TRUE(cpu.amx_bf16 && cpu.amx_int8);
  EXPECT_FALSE(cpu.amx_fp16 || cpu.neon || cpu.sve || cpu.arm_bf16);
  EXPECT_FALSE(cpu.max_clock_mhz.has_value()) << "cpuinfo tells the clock of a moment, not the highest";
}

TEST(CpuFacts, NameArmsCoresByTheirPart) {
  const CpuFacts cpu = parse_cpu_facts(grace);
  EXPECT_EQ(cpu.name, "Arm Neoverse V2");
  EXPECT_EQ(cpu.model, 0xd4f);
  EXPECT_TRUE(cpu.neon && cpu.sve && cpu.arm_bf16 && cpu.arm_i8mm);
  EXPECT_FALSE(cpu.avx512_bf16);
}

TEST(CpuFacts, DoNotTakePartOfAWordForAFlag) {
  EXPECT_FALSE(parse_cpu_facts("flags : avx512fma xavx2 avx512_bf16x\n").avx512);
  EXPECT_FALSE(parse_cpu_facts("flags : avx512fma xavx2 avx512_bf16x\n").avx2);
}

TEST(CpuFacts, OfNothingAreNone) {
  EXPECT_EQ(parse_cpu_facts("").name, "unknown processor");
  EXPECT_EQ(parse_cpu_facts("no colon\n\n:\n").family, 0);
}

TEST(CpuFacts, OfThisHostHaveANameAndCores) {
  const CpuFacts cpu = read_cpu_facts();
  EXPECT_FALSE(cpu.name.empty());
  EXPECT_GT(cpu.cores, 0);
}

double per_clock(const char* cpuinfo, GemmType type) {
  return cpu_gemm_peak(parse_cpu_facts(cpuinfo), GemmKind{.type = type}).per_clock.value_or(0);
}

TEST(CpuPeak, FollowsTheWidthOfTheDatapath) {
  EXPECT_EQ(per_clock(genoa, GemmType::float32), 32) << "512-bit instructions, 256-bit units";
  EXPECT_EQ(per_clock(turin, GemmType::float32), 64);
  EXPECT_EQ(per_clock(milan, GemmType::float32), 32);
  EXPECT_EQ(per_clock(naples, GemmType::float32), 16) << "256-bit instructions, 128-bit units";
  EXPECT_EQ(per_clock(skylake, GemmType::float32), 64);
  EXPECT_EQ(per_clock(tiger_lake, GemmType::float32), 32) << "one unit";
  EXPECT_EQ(per_clock(alder_lake, GemmType::float32), 32);
  EXPECT_EQ(per_clock(grace, GemmType::float32), 32);
}

TEST(CpuPeak, OfFloat64IsHalfOfFloat32) {
  for (const char* cpuinfo : {genoa, turin, milan, naples, skylake, tiger_lake, alder_lake, grace, sapphire_rapids}) {
    EXPECT_EQ(2 * per_clock(cpuinfo, GemmType::float64), per_clock(cpuinfo, GemmType::float32)) << cpuinfo;
  }
}

TEST(CpuPeak, KnowsTheInstructionsOfTheSmallTypes) {
  EXPECT_EQ(per_clock(sapphire_rapids, GemmType::bfloat16), 1024);
  EXPECT_EQ(per_clock(sapphire_rapids, GemmType::int8), 2048);
  EXPECT_EQ(per_clock(sapphire_rapids, GemmType::float16), 128);
  EXPECT_EQ(per_clock(genoa, GemmType::bfloat16), 64);
  EXPECT_EQ(per_clock(genoa, GemmType::int8), 128);
  EXPECT_EQ(per_clock(turin, GemmType::int8), 256);
  EXPECT_EQ(per_clock(grace, GemmType::bfloat16), 128);
  EXPECT_EQ(per_clock(grace, GemmType::int8), 256);
  EXPECT_EQ(per_clock(alder_lake, GemmType::int8), 128);
}

TEST(CpuPeak, WithoutInstructionsIsThatOfTheDetour) {
  EXPECT_EQ(per_clock(skylake, GemmType::bfloat16), per_clock(skylake, GemmType::float32));
  EXPECT_EQ(per_clock(milan, GemmType::int8), 64);
  EXPECT_LT(per_clock(skylake, GemmType::int8), 2 * per_clock(skylake, GemmType::float32));
}

TEST(CpuPeak, IsUnknownWhereNobodyCouldTell) {
  for (const char* cpuinfo : {"", "vendor_id : GenuineIntel\ncpu family : 6\nmodel : 42\nflags : avx\n",
                              "CPU implementer : 0x61\nCPU part : 0x022\nFeatures : asimd\n"}) {
    const GemmPeak peak = cpu_gemm_peak(parse_cpu_facts(cpuinfo), GemmKind{.type = GemmType::float32});
    EXPECT_FALSE(peak.per_clock.has_value());
    EXPECT_NE(peak.note.find("no estimate"), std::string::npos) << peak.note;
  }
  EXPECT_EQ(per_clock(milan, GemmType::float16), 0);
  EXPECT_EQ(per_clock(sapphire_rapids, GemmType::tfloat32), 0);
  EXPECT_EQ(per_clock(sapphire_rapids, GemmType::nvfp4), 0);
}

TEST(CpuPeak, IsOurEstimateOfTheCoresInUse) {
  CpuFacts cpu = parse_cpu_facts(sapphire_rapids);
  cpu.cores = 56;
  cpu.max_clock_mhz = 3800;
  const GemmPeak peak = cpu_gemm_peak(cpu, GemmKind{.type = GemmType::bfloat16});
  EXPECT_TRUE(peak.estimated);
  EXPECT_EQ(peak.units, 56);
  EXPECT_EQ(peak.unit_name, "cores");
  EXPECT_EQ(peak.max_clock_mhz, 3800);
  EXPECT_FALSE(peak.datasheet.has_value());
  EXPECT_NE(peak.note.find("AMX"), std::string::npos) << peak.note;
}

}  // namespace
}  // namespace shakedown
