// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "hw/accelerators.h"
#include "shakedown/hw/gemm_peak.h"

namespace shakedown {
namespace {

ChipFacts chip(const std::string& name, int major, int minor, int units) {
  return {.name = name, .cc_major = major, .cc_minor = minor, .units = units, .max_clock_mhz = 1980};
}

GemmKind kind(GemmType type, Accumulation accumulation = Accumulation::standard) { return {type, accumulation, {}}; }

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(Accelerators, MakeTheirDatasheetsFiguresFromUnitsRateAndClock) {
  for (const Accelerator& product : accelerators()) {
    int compared = 0;
    for (const GemmType type : all_gemm_types()) {
      for (const Accumulation accumulation : {Accumulation::standard, Accumulation::fast, Accumulation::half}) {
        const auto published = product.datasheet.of(kind(type, accumulation));
        const auto rate = rates_of(product.architecture).of(kind(type, accumulation));
        if (!published || !rate) continue;
        const bool is_vector = type == GemmType::float32 || type == GemmType::float64;
        const double mhz = is_vector ? product.vector_mhz : product.tensor_mhz;
        EXPECT_NEAR(product.units * *rate * mhz / 1e6 / *published, 1, 0.015)
            << product.words[0] << " " << describe(kind(type, accumulation));
        ++compared;
      }
    }
    // The H20 is below what its units could do, by a means that is not published.
    EXPECT_EQ(compared == 0, product.architecture == Architecture::hopper_reduced) << product.words[0];
  }
}

TEST(Accelerators, HaveARateForWhateverTheirDatasheetLists) {
  for (const Accelerator& product : accelerators()) {
    if (product.architecture == Architecture::hopper_reduced) continue;
    for (const GemmType type : all_gemm_types()) {
      if (!product.datasheet.of(kind(type))) continue;
      EXPECT_TRUE(rates_of(product.architecture).of(kind(type))) << product.words[0] << " " << name_of(type);
    }
  }
}

TEST(GpuPeaks, AreFoundByTheDriversNames) {
  struct Row {
    const char* name;
    int major, minor, units;
    double bfloat16;
    const char* source;
  };
  const Row table[] = {
      {"NVIDIA H200", 9, 0, 132, 989.4, "H200"},
      {"NVIDIA H200 NVL", 9, 0, 132, 835.5, "H200"},
      {"NVIDIA H100 80GB HBM3", 9, 0, 132, 989.4, "H100"},
      {"NVIDIA H100 PCIe", 9, 0, 114, 756, "H100"},
      {"NVIDIA H100 NVL", 9, 0, 132, 835.5, "H100"},
      {"NVIDIA GH200 480GB", 9, 0, 132, 989.4, "GH200"},
      {"NVIDIA H20", 9, 0, 78, 148, "H20"},
      {"NVIDIA A100-SXM4-80GB", 8, 0, 108, 312, "A100"},
      {"NVIDIA A100 80GB PCIe", 8, 0, 108, 312, "A100"},
      {"A100-PCIE-40GB", 8, 0, 108, 312, "A100"},
      {"NVIDIA A10", 8, 6, 72, 125, "A10 "},
      {"NVIDIA A40", 8, 6, 84, 149.7, "A40"},
      {"NVIDIA RTX A6000", 8, 6, 84, 154.8, "A6000"},
      {"NVIDIA GeForce RTX 3090", 8, 6, 82, 71, "GA102"},
      {"NVIDIA L4", 8, 9, 58, 121, "L4 "},
      {"NVIDIA L40S", 8, 9, 142, 362, "L40S"},
      {"NVIDIA RTX 6000 Ada Generation", 8, 9, 142, 364, "RTX 6000 Ada"},
      {"NVIDIA GeForce RTX 4090", 8, 9, 128, 165.2, "Ada"},
      {"NVIDIA B200", 10, 0, 148, 2250, "B200"},
      {"NVIDIA GB200", 10, 0, 148, 2500, "GB200"},
      {"NVIDIA B300 SXM6 AC", 10, 3, 148, 2250, "B300"},
      {"NVIDIA GB300", 10, 3, 148, 2500, "GB300"},
      {"NVIDIA GeForce RTX 5090", 12, 0, 170, 209.5, "RTX Blackwell"},
      {"NVIDIA RTX PRO 6000 Blackwell Workstation Edition", 12, 0, 188, 504, "RTX PRO Blackwell"},
  };
  for (const Row& row : table) {
    const GemmPeak peak = gpu_gemm_peak(chip(row.name, row.major, row.minor, row.units), kind(GemmType::bfloat16));
    EXPECT_EQ(peak.datasheet, row.bfloat16) << row.name;
    EXPECT_TRUE(has(peak.datasheet_source, row.source)) << row.name << ": " << peak.datasheet_source;
    EXPECT_EQ(peak.units, row.units) << row.name;
    EXPECT_EQ(peak.unit_name, "SMs") << row.name;
    EXPECT_FALSE(peak.estimated) << row.name;
  }
}

TEST(GpuPeaks, OfOneH200) {
  const ChipFacts h200 = chip("NVIDIA H200", 9, 0, 132);
  EXPECT_EQ(gpu_gemm_peak(h200, kind(GemmType::bfloat16)).per_clock, 4096);
  EXPECT_EQ(gpu_gemm_peak(h200, kind(GemmType::tfloat32)).per_clock, 2048);
  EXPECT_EQ(gpu_gemm_peak(h200, kind(GemmType::float64)).per_clock, 256) << "through the tensor cores";
  EXPECT_EQ(gpu_gemm_peak(h200, kind(GemmType::float64)).datasheet, 67);
  EXPECT_EQ(gpu_gemm_peak(h200, kind(GemmType::float32)).per_clock, 256);
  EXPECT_EQ(gpu_gemm_peak(h200, kind(GemmType::float8_e5m2)).datasheet, 1979);
  EXPECT_EQ(gpu_gemm_peak(h200, kind(GemmType::float8_e4m3fn, Accumulation::fast)).datasheet, 1979);
  EXPECT_EQ(gpu_gemm_peak(h200, kind(GemmType::float16, Accumulation::half)).datasheet, 989.4);
  const GemmPeak int8 = gpu_gemm_peak(h200, kind(GemmType::int8));
  EXPECT_EQ(int8.max_clock_mhz, 1980);
  EXPECT_EQ(int8.note, "");
}

TEST(GpuPeaks, ThatAChipDoesNotHaveAreNotInvented) {
  const GemmPeak peak = gpu_gemm_peak(chip("NVIDIA H200", 9, 0, 132), kind(GemmType::nvfp4));
  EXPECT_EQ(peak.datasheet, std::nullopt);
  EXPECT_EQ(peak.per_clock, std::nullopt);
  EXPECT_TRUE(has(peak.note, "nvfp4")) << peak.note;
}

TEST(GpuPeaks, OfGeForceAreHalfWithSumsInFloat32) {
  const ChipFacts geforce = chip("NVIDIA GeForce RTX 4090", 8, 9, 128);
  EXPECT_EQ(gpu_gemm_peak(geforce, kind(GemmType::float16)).per_clock, 512);
  EXPECT_EQ(gpu_gemm_peak(geforce, kind(GemmType::float16, Accumulation::half)).per_clock, 1024);
  EXPECT_EQ(gpu_gemm_peak(chip("NVIDIA L40S", 8, 9, 142), kind(GemmType::float16)).per_clock, 1024);
  const GemmPeak fast = gpu_gemm_peak(geforce, kind(GemmType::float8_e4m3fn, Accumulation::fast));
  EXPECT_EQ(fast.per_clock, 2048);
  EXPECT_TRUE(has(fast.note, "16 bits")) << fast.note;
}

TEST(GpuPeaks, OfB300AreNotThoseOfB200) {
  const ChipFacts b300 = chip("NVIDIA B300 SXM6 AC", 10, 3, 148);
  EXPECT_EQ(gpu_gemm_peak(chip("NVIDIA B200", 10, 0, 148), kind(GemmType::int8)).datasheet, 4500);
  const GemmPeak int8 = gpu_gemm_peak(b300, kind(GemmType::int8));
  EXPECT_EQ(int8.per_clock, 512);
  EXPECT_EQ(int8.datasheet, std::nullopt);
  EXPECT_TRUE(int8.estimated) << "a reading above it must not be refused";
  EXPECT_TRUE(has(int8.note, "int8")) << int8.note;
  EXPECT_EQ(gpu_gemm_peak(b300, kind(GemmType::nvfp4)).datasheet, 13500);
  EXPECT_FALSE(gpu_gemm_peak(b300, kind(GemmType::bfloat16)).estimated);
}

TEST(GpuPeaks, OfUnknownNamesFallBackToTheCapabilityAndSaySo) {
  const GemmPeak peak = gpu_gemm_peak(chip("NVIDIA H9000", 9, 0, 100), kind(GemmType::bfloat16));
  EXPECT_EQ(peak.per_clock, 4096);
  EXPECT_EQ(peak.units, 100);
  EXPECT_EQ(peak.datasheet, std::nullopt);
  EXPECT_TRUE(peak.estimated);
  EXPECT_TRUE(has(peak.note, "NVIDIA H9000") && has(peak.note, "9.0")) << peak.note;
  EXPECT_EQ(gpu_gemm_peak(chip("NVIDIA GeForce RTX 4060", 8, 9, 24), kind(GemmType::bfloat16)).per_clock, 512);
  EXPECT_EQ(gpu_gemm_peak(chip("NVIDIA RTX 2000 Ada Generation", 8, 9, 22), kind(GemmType::bfloat16)).per_clock, 1024);
}

TEST(GpuPeaks, OfVariantsAreNotThoseOfTheirNamesake) {
  for (const char* name : {"NVIDIA GeForce RTX 4090 Laptop GPU", "NVIDIA GeForce RTX 4090 D",
                           "NVIDIA GeForce RTX 3090 Ti", "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition"}) {
    EXPECT_EQ(find_accelerator(name), nullptr) << name;
  }
}

TEST(GpuPeaks, OfNothingKnownAreEmptyAndSaySo) {
  const GemmPeak peak = gpu_gemm_peak(chip("Mystery", 99, 1, 7), kind(GemmType::bfloat16));
  EXPECT_EQ(peak.per_clock, std::nullopt);
  EXPECT_EQ(peak.datasheet, std::nullopt);
  EXPECT_TRUE(has(peak.note, "Mystery") && has(peak.note, "99.1")) << peak.note;
}

TEST(GpuPeaks, OfASliceCountItsOwnUnits) {
  const GemmPeak peak = gpu_gemm_peak(chip("NVIDIA A100-SXM4-40GB MIG 1g.5gb", 8, 0, 14), kind(GemmType::bfloat16));
  EXPECT_EQ(peak.per_clock, 2048);
  EXPECT_EQ(peak.units, 14);
  EXPECT_EQ(peak.datasheet, std::nullopt) << "it speaks of the whole chip";
  EXPECT_TRUE(has(peak.note, "MIG")) << peak.note;
}

TEST(GpuPeaks, SayWhenTheUnitsAreNotTheDatasheets) {
  const GemmPeak peak = gpu_gemm_peak(chip("NVIDIA A100-SXM-64GB", 8, 0, 124), kind(GemmType::bfloat16));
  EXPECT_EQ(peak.units, 124);
  EXPECT_TRUE(has(peak.note, "108") && has(peak.note, "124")) << peak.note;
}

TEST(Names, AreReadAsWords) {
  EXPECT_EQ(words_of("NVIDIA A100-SXM4-80GB"), (std::vector<std::string>{"nvidia", "a100", "sxm4", "80gb"}));
  EXPECT_EQ(words_of("  H200 "), (std::vector<std::string>{"h200"}));
  EXPECT_TRUE(words_of("").empty());
}

}  // namespace
}  // namespace shakedown
