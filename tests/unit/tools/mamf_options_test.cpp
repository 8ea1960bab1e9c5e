// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "options.h"

namespace shakedown {
namespace {

Options accepted(const std::vector<std::string>& arguments) {
  const auto parsed = parse_options(arguments, "1.2.3");
  if (const auto* early = std::get_if<EarlyExit>(&parsed)) ADD_FAILURE() << early->err;
  return std::holds_alternative<Options>(parsed) ? std::get<Options>(parsed) : Options{};
}

EarlyExit early_exit(const std::vector<std::string>& arguments) {
  const auto parsed = parse_options(arguments, "1.2.3");
  if (std::holds_alternative<Options>(parsed)) {
    ADD_FAILURE() << "accepted: " << arguments.front();
    return {};
  }
  return std::get<EarlyExit>(parsed);
}

void expect_usage(const std::vector<std::string>& arguments, const std::vector<std::string>& parts) {
  const EarlyExit early = early_exit(arguments);
  EXPECT_EQ(early.code, ExitCode::usage);
  EXPECT_TRUE(early.out.empty());
  for (const std::string& part : parts)
    EXPECT_NE(early.err.find(part), std::string::npos) << "'" << early.err << "' lacks '" << part << "'";
}

const std::vector<std::string> one_shape{"--m", "64", "--n", "64", "--k", "64"};

std::vector<std::string> with_shape(std::vector<std::string> more) {
  more.insert(more.begin(), one_shape.begin(), one_shape.end());
  return more;
}

TEST(MamfOptions, WithoutAnyTheBestShapeIsSearchedForBothFigures) {
  const Options options = accepted({});
  EXPECT_EQ(options.task(), GemmTask::search);
  EXPECT_EQ(options.modes, (std::vector{GemmMode::burst, GemmMode::sustained}));
  EXPECT_TRUE(options.types.empty()) << "the device decides";
  EXPECT_EQ(options.data, GemmData::normal);
  EXPECT_EQ(options.seed, 42u);
  EXPECT_EQ(options.timeout, Seconds{60});
}

TEST(MamfOptions, TheScriptsSpellingsWorkUnchanged) {
  const Options options = accepted({"--m_range",
                                    "0",
                                    "4096",
                                    "1024",
                                    "--n",
                                    "2048",
                                    "4096",
                                    "--k_range",
                                    "1024",
                                    "1025",
                                    "1",
                                    "--dtype",
                                    "torch.bfloat16",
                                    "--num_iterations",
                                    "7",
                                    "--num_warmup_iterations=2",
                                    "--cuda_device",
                                    "3",
                                    "--output_file",
                                    "x.txt",
                                    "--notes",
                                    "a_b",
                                    "--verbose"});
  EXPECT_EQ(options.m, (std::vector<std::uint64_t>{1024, 2048, 3072})) << "0 is step, stop is excluded";
  EXPECT_EQ(options.n, (std::vector<std::uint64_t>{2048, 4096}));
  EXPECT_EQ(options.k, (std::vector<std::uint64_t>{1024}));
  EXPECT_EQ(options.types, (std::vector{GemmType::bfloat16}));
  EXPECT_EQ(options.iterations, 7);
  EXPECT_EQ(options.warmups, 2);
  EXPECT_EQ(options.devices.indices, (std::vector{3}));
  EXPECT_EQ(options.output_file, "x.txt");
  EXPECT_EQ(options.notes, "a_b");
  accepted({"--no-verbose"});
}

TEST(MamfOptions, ListsTakeBlanksAndCommas) {
  const Options options = accepted({"--m", "1024", "2048,3072", "--n=64,128", "--k", "5"});
  EXPECT_EQ(options.m, (std::vector<std::uint64_t>{1024, 2048, 3072}));
  EXPECT_EQ(options.n, (std::vector<std::uint64_t>{64, 128}));
  EXPECT_EQ(options.task(), GemmTask::shapes);
  EXPECT_NE(options.shape_rule.find("m 1024 2048 3072"), std::string::npos) << options.shape_rule;
}

TEST(MamfOptions, EveryDimensionOrNone) {
  expect_usage({"--m", "64"}, {"missing", "--n", "--k"});
  expect_usage({"--m-range", "0", "64", "8", "--k", "8"}, {"missing", "--n (or --n-range)"});
  expect_usage({"--m", "64", "--m-range", "0", "64", "8", "--n", "1", "--k", "1"}, {"--m", "--m-range"});
}

TEST(MamfOptions, RangesThatHoldNothing) {
  expect_usage({"--m-range", "0", "64", "0", "--n", "1", "--k", "1"}, {"--m-range", "0 64 0"});
  expect_usage({"--m-range", "64", "64", "1", "--n", "1", "--k", "1"}, {"--m-range"});
  expect_usage({"--m-range", "64", "--n", "1", "--k", "1"}, {"--m-range", "start stop step"});
  expect_usage({"--m-range", "1", "2", "3", "4", "--n", "1", "--k", "1"}, {"4 numbers"});
  expect_usage({"--m-range", "a", "2", "3", "--n", "1", "--k", "1"}, {"'a'"});
}

TEST(MamfOptions, DimensionsThatAreNone) {
  for (const char* text : {"0", "-256", "1.5", "64,,64", "x", "99999999999999999999"}) {
    const std::string option = std::string("--m=") + text;
    const std::string bad = std::string(text) == "64,,64" ? "" : text;
    expect_usage({option, "--n", "1", "--k", "1"}, {"--m", "'" + bad + "'"});
  }
  expect_usage({"--m", "", "--n", "1", "--k", "1"}, {"--m", "''"});
  expect_usage({"--m", "--n", "1", "--k", "1"}, {"--m"});
}

TEST(MamfOptions, TypesByAnyNameAndUnknownOnesWithTheList) {
  const Options options = accepted({"--dtype", "bf16,half", "torch.float8_e4m3fn", "BFLOAT16"});
  EXPECT_EQ(options.types, (std::vector{GemmType::bfloat16, GemmType::float16, GemmType::float8_e4m3fn}));
  EXPECT_TRUE(accepted({"--dtype", "all"}).all_types);
  expect_usage({"--dtype", "nn"}, {"'nn'", "bfloat16", "int8", "all"});
  expect_usage({"--dtype", "bf16,,fp16"}, {"''"});
  expect_usage({"--dtype", ""}, {"''"});
  expect_usage({"--dtype", "all,bf16"}, {"all"});
}

TEST(MamfOptions, AccumulationMustFitTheType) {
  EXPECT_EQ(accepted({"--dtype", "fp16", "--accumulation", "half"}).accumulation, Accumulation::half);
  expect_usage({"--dtype", "bf16", "--accumulation", "fast"}, {"--accumulation fast", "bfloat16", "float8"});
  expect_usage({"--dtype", "fp16,fp32", "--accumulation", "half"}, {"float32"});
  expect_usage({"--accumulation", "half"}, {"--dtype"});
  expect_usage({"--accumulation", "slow"}, {"slow", "standard", "fast", "half"});
}

TEST(MamfOptions, NamesOfTheOthersAreListedWhereUnknown) {
  EXPECT_EQ(accepted({"--layout", "nt"}).layout, GemmLayout::nt);
  EXPECT_EQ(accepted({"--init", "zeros"}).data, GemmData::zeros);
  expect_usage({"--layout", "XX"}, {"XX", "TN", "NN", "NT", "TT"});
  expect_usage({"--init", "randn"}, {"randn", "normal", "uniform", "integers", "zeros", "ones"});
  expect_usage({"--protocol", "long"}, {"long", "burst-sustained", "mamf-v2"});
}

TEST(MamfOptions, ADeviceIsNamedOnce) {
  expect_usage({"--device", "0", "--cuda-device", "1"}, {"--device"});
  expect_usage({"--device", "0", "--devices", "all"}, {"--device and --devices"});
  expect_usage({"--devices", "0,1,0"}, {"0", "twice"});
  expect_usage({"--device", "-1"}, {"'-1'"});
  EXPECT_TRUE(accepted({"--devices", "all"}).devices.all);
  EXPECT_EQ(accepted({"--devices", "2,0"}).devices.indices, (std::vector{2, 0}));
}

TEST(MamfOptions, WhatContradictsATaskIsRefused) {
  expect_usage(with_shape({"--exhaustive"}), {"--exhaustive"});
  expect_usage(with_shape({"--budget", "3"}), {"--budget"});
  expect_usage(with_shape({"--shapes", "f"}), {"--shapes", "--m"});
  expect_usage(with_shape({"--controls", "8x8x8"}), {"--controls"});
  expect_usage({"--resume", "f"}, {"--resume", "--m"});
  expect_usage({"--shapes", "f", "--dtype", "bf16,fp16"}, {"one --dtype"});
  expect_usage({"--shapes", "f", "--protocol", "burst"}, {"sustained"});
  expect_usage({"--protocol", "sustained", "--num-iterations", "3"}, {"--num-iterations"});
  EXPECT_EQ(accepted({"--shapes", "f"}).modes, (std::vector{GemmMode::sustained}));
}

TEST(MamfOptions, ABarMustHaveSomethingToJudge) {
  const auto minimum = accepted({"--min-tflops", "650,sustained"}).min_rate;
  ASSERT_TRUE(minimum);
  EXPECT_EQ(minimum->value, 650);
  EXPECT_EQ(minimum->mode, GemmMode::sustained);
  expect_usage({"--min-tflops", "650,sustained", "--protocol", "burst"}, {"sustained", "--protocol"});
  expect_usage({"--min-tflops", "1", "--dtype", "bf16,fp16"}, {"--min-tflops"});
  expect_usage({"--min-tflops", "x"}, {"'x'"});
  expect_usage({"--require", "min_tflops"}, {"--min-tflops"});
  expect_usage({"--require", "speed"}, {"speed", "data", "drift"});
}

TEST(MamfOptions, ControlsAreShapes) {
  const auto controls = accepted({"--controls", "2048x4096x15360,8192X8192x8192"}).controls;
  EXPECT_EQ(controls, (std::vector<GemmShape>{{2048, 4096, 15360}, {8192, 8192, 8192}}));
  expect_usage({"--controls", "8x8"}, {"'8x8'", "MxNxK"});
}

TEST(MamfOptions, HelpStatesTheFormulaTheRangesAndEndsWithExamples) {
  const EarlyExit help = early_exit({"--help"});
  EXPECT_EQ(help.code, ExitCode::ok);
  for (const char* part : {"2*M*N*K", "0 start means step", "stop is excluded", "Examples:"})
    EXPECT_NE(help.out.find(part), std::string::npos) << part;
  EXPECT_EQ(early_exit({"--version"}).out, "mamf_finder (Shakedown) 1.2.3\n");
  expect_usage({"--dtpye", "bf16"}, {"--dtpye", "--dtype"});
}

}  // namespace
}  // namespace shakedown
