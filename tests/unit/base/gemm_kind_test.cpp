// SPDX-License-Identifier: Apache-2.0
#include "shakedown/base/gemm_kind.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "shakedown/base/dtype.h"

namespace shakedown {
namespace {

TEST(GemmTypes, CanonicalNamesReadBack) {
  EXPECT_EQ(all_gemm_types().size(), 10u);
  for (const GemmType type : all_gemm_types()) EXPECT_EQ(parse_gemm_type(name_of(type)), type) << name_of(type);
}

TEST(GemmTypes, ReadNamesOfPyTorchNumPyAndNcclTests) {
  const std::pair<const char*, GemmType> table[] = {
      {"torch.bfloat16", GemmType::bfloat16},
      {"bf16", GemmType::bfloat16},
      {"half", GemmType::float16},
      {"np.float16", GemmType::float16},
      {"numpy.float64", GemmType::float64},
      {"double", GemmType::float64},
      {"float", GemmType::float32},
      {"fp32", GemmType::float32},
      {"tf32", GemmType::tfloat32},
      {"TF32", GemmType::tfloat32},
      {"torch.tf32", GemmType::tfloat32},
      {"tfloat32", GemmType::tfloat32},
      {"fp8", GemmType::float8_e4m3fn},
      {"torch.float8_e4m3fn", GemmType::float8_e4m3fn},
      {"fp8e5m2", GemmType::float8_e5m2},
      {"torch.float8_e5m2", GemmType::float8_e5m2},
      {"char", GemmType::int8},
      {"torch.int8", GemmType::int8},
      {"MXFP8", GemmType::mxfp8},
      {"nvfp4", GemmType::nvfp4},
  };
  for (const auto& [name, type] : table) EXPECT_EQ(parse_gemm_type(name), type) << name;
}

TEST(GemmTypes, DoNotGuess) {
  for (const char* name : {"", "f8", "fp4", "float8_e4m3fnuz", "float8_e5m2fnuz", "uint8", "int32", "long", "int",
                           "torch.", "bfloat16 ", "complex64"}) {
    EXPECT_EQ(parse_gemm_type(name), std::nullopt) << name;
  }
}

TEST(GemmTypes, AgreeWithTheElementTypesOfTheirNames) {
  for (const GemmType type : all_gemm_types()) {
    const std::string name{name_of(type)};
    const auto element = parse_data_type(name);
    if (element) {
      EXPECT_EQ(input_bits_of(type), 8 * size_of(*element)) << name;
    }
    const auto output = parse_data_type(output_name_of(type));
    ASSERT_NE(output, std::nullopt) << name;
    EXPECT_EQ(output_size_of(type), size_of(*output)) << name;
  }
}

TEST(GemmTypes, ThatAreNoElementTypesHaveTheirSizes) {
  EXPECT_EQ(input_bits_of(GemmType::tfloat32), 32u);
  EXPECT_EQ(input_bits_of(GemmType::mxfp8), 8u);
  EXPECT_EQ(input_bits_of(GemmType::nvfp4), 4u);
}

TEST(GemmTypes, HaveTheOutputOfTheirKind) {
  EXPECT_EQ(output_name_of(GemmType::tfloat32), "float32");
  EXPECT_EQ(output_name_of(GemmType::float16), "float16");
  EXPECT_EQ(output_name_of(GemmType::float8_e5m2), "bfloat16");
  EXPECT_EQ(output_name_of(GemmType::nvfp4), "bfloat16");
  EXPECT_EQ(output_name_of(GemmType::int8), "int32");
}

TEST(GemmTypes, OnlyIntegersAreNoFlops) {
  for (const GemmType type : all_gemm_types()) {
    EXPECT_EQ(rate_unit_of(type), type == GemmType::int8 ? "TOPS" : "TFLOPS") << name_of(type);
  }
}

TEST(GemmKinds, AreDescribedByWhatIsUnusual) {
  EXPECT_EQ(describe({}), "bfloat16");
  EXPECT_EQ(describe({GemmType::float8_e4m3fn, Accumulation::fast, GemmLayout::tn}),
            "float8_e4m3fn, fast accumulation");
  EXPECT_EQ(describe({GemmType::float16, Accumulation::half, GemmLayout::nn}), "float16, float16 accumulation, NN");
  EXPECT_EQ(describe({GemmType::float64, Accumulation::standard, GemmLayout::tt}), "float64, TT");
}

TEST(GemmKinds, HaveNamesForTheirParts) {
  EXPECT_EQ(name_of(Accumulation::standard), "standard");
  EXPECT_EQ(name_of(Accumulation::fast), "fast");
  EXPECT_EQ(name_of(Accumulation::half), "half");
  EXPECT_EQ(name_of(GemmLayout::nt), "NT");
  EXPECT_EQ(name_of(GemmData::normal), "normal");
  EXPECT_EQ(name_of(GemmData::zeros), "zeros");
}

TEST(GemmShapes, AreWrittenAsMTimesNTimesK) {
  EXPECT_EQ(format_shape({2048, 4096, 15360}), "2048x4096x15360");
  EXPECT_EQ(format_shape({1ull << 40, 1, 2}), "1099511627776x1x2");
}

}  // namespace
}  // namespace shakedown
