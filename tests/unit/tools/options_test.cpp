// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <gtest/gtest.h>

#include "nccl_tests_options.h"
#include "spelling.h"

namespace shakedown {
namespace {

Options accepted(const std::vector<std::string>& arguments) {
  const auto parsed = parse_options(arguments, "1.2.3");
  if (const auto* early = std::get_if<EarlyExit>(&parsed)) ADD_FAILURE() << early->err;
  return std::holds_alternative<Options>(parsed) ? std::get<Options>(parsed) : Options{};
}

EarlyExit refused(const std::vector<std::string>& arguments) {
  const auto parsed = parse_options(arguments, "1.2.3");
  if (std::holds_alternative<Options>(parsed)) {
    ADD_FAILURE() << "accepted: " << arguments.front();
    return {};
  }
  return std::get<EarlyExit>(parsed);
}

void expect_usage(const std::vector<std::string>& arguments, const std::string& part) {
  const EarlyExit early = refused(arguments);
  EXPECT_EQ(early.code, ExitCode::usage);
  EXPECT_TRUE(early.out.empty());
  EXPECT_NE(early.err.find(part), std::string::npos) << "'" << early.err << "' lacks '" << part << "'";
}

TEST(Options, DefaultsAreThoseOfThePythonOriginal) {
  const Options options = accepted({});
  EXPECT_EQ(options.warmups, 5);
  EXPECT_EQ(options.iterations, 20);
  EXPECT_EQ(options.dtype, DataType::float32);
  EXPECT_EQ(options.timing, Timing::pipelined);
  EXPECT_TRUE(options.check);
  EXPECT_EQ(options.timeout, Seconds{60});
}

TEST(Options, TheOriginalsSpellingsWorkUnchanged) {
  const Options options = accepted({"--num_iterations", "7", "--num_warmup_iterations=2", "--payload_size_in_gib",
                                    "0.5", "--profile_stability", "--local_rank=3"});
  EXPECT_EQ(options.iterations, 7);
  EXPECT_EQ(options.warmups, 2);
  EXPECT_EQ(options.payload, Bytes{512ull << 20});
  EXPECT_TRUE(options.profile_stability);
}

TEST(Options, ShortOptionsOfNcclTestsKeepTheirMeaning) {
  const Options options =
      accepted({"-b", "8",   "-e", "1G", "-f", "4", "-n", "3",      "-w", "1", "-g", "8", "-c", "0", "-d", "half",
                "-o", "sum", "-z", "1",  "-T", "5", "-J", "x.json", "-t", "1", "-m", "1", "-a", "3", "-I", "1"});
  EXPECT_EQ(options.min_bytes, Bytes{8});
  EXPECT_EQ(options.max_bytes, Bytes{1ull << 30});
  EXPECT_EQ(options.step_factor, 4);
  EXPECT_EQ(options.gpus_per_process, 8);
  EXPECT_FALSE(options.check);
  EXPECT_EQ(options.dtype, DataType::float16);
  EXPECT_EQ(options.timing, Timing::blocking);
  EXPECT_EQ(options.timeout, Seconds{5});
  EXPECT_EQ(options.json, "x.json");
  EXPECT_EQ(accepted({"-G", "1"}).timing, Timing::graph);
  EXPECT_EQ(accepted({"-i", "2M"}).step_bytes, Bytes{2u << 20}) << "a step has the suffixes that a size has";
}

TEST(Options, EveryOtherShortOptionOfNcclTestsIsRefusedByName) {
  const std::string letters = "tgbeifnwmNpcodrazyTGCSJRxDVMuIK";
  for (const char letter : letters) {
    const auto parsed = parse_options({std::string("-") + letter, "no-such-value"}, "1");
    const auto* early = std::get_if<EarlyExit>(&parsed);
    if (early == nullptr) continue;
    EXPECT_EQ(early->err.find("is not an option"), std::string::npos) << letter << ": " << early->err;
  }
  for (const ForeignOption& foreign : foreign_options()) {
    if (foreign.neutral == std::vector<std::string>{"*"}) continue;
    expect_usage({std::string("-") + foreign.letter, "7"},
                 std::string("-") + foreign.letter + ": '7' (nccl-tests: " + foreign.meaning);
    expect_usage({"--" + foreign.long_name, "7"}, foreign.ours);
  }
}

TEST(Options, BadNumbersAreRepeatedWithWhatIsAllowed) {
  for (const char* bad : {"0", "-1", "abc", "", "1.5", "99999999999", "0x10"}) {
    expect_usage({"-n", bad}, std::string("--iterations: '") + bad + "' is no whole number from 1 to 1000000");
  }
  for (const char* bad : {"-1", "abc", "nan", "inf", "1e400"}) expect_usage({"--timeout", bad}, bad);
  EXPECT_EQ(accepted({"-w", "0"}).warmups, 0);
  EXPECT_EQ(accepted({"--timeout", "0"}).timeout, Seconds{0});
  EXPECT_EQ(accepted({"--timeout", "0.5"}).timeout, Seconds{0.5});
}

TEST(Options, BadSizesAreRepeated) {
  for (const char* bad : {"1Gfoo", "", "-", "-1", "nan", "1,5G", "0x10", "18446744073709551616"})
    expect_usage({"-b", bad}, bad);
  expect_usage({"-b", "0"}, "nothing to measure");
  expect_usage({"--payload-size-in-gib", "0"}, "nothing to measure");
  expect_usage({"--payload-size-in-gib", "1G"}, "1G");
}

TEST(Options, ContradictionsAreRefused) {
  expect_usage({"-i", "1K", "-f", "2"}, "give one of them");
  expect_usage({"--payload-size-in-gib", "1", "-b", "1M"}, "one payload alone");
  expect_usage({"--profile-stability"}, "needs one payload");
  expect_usage({"--profile-stability", "-b", "1M", "-e", "2M"}, "needs one payload");
  EXPECT_TRUE(accepted({"--profile-stability", "-b", "1M", "-e", "1M"}).profile_stability);
  expect_usage({"--hosts", "a", "--hostfile", "f"}, "give one of them");
  expect_usage({"--require", "data", "--no-check"}, "needs the data check");
  expect_usage({"--require", "speed"}, "'speed' is not one of");
  expect_usage({"--require", "min_busbw"}, "needs --min-busbw");
}

TEST(Options, AnUnknownOptionGetsAHint) {
  expect_usage({"--iteratons", "3"}, "'--iteratons' is not an option; did you mean --iterations?");
  expect_usage({"--frobnicate"}, "--help lists the options");
  expect_usage({"stray"}, "'stray' is not an option");
}

TEST(Options, ASingleValuedOptionIsGivenOnce) {
  expect_usage({"--dtype", "float", "--dtype", "half"}, "--dtype is given more than once");
  expect_usage({"--timeout"}, "--timeout: a value is missing");
}

TEST(Options, UnknownTypesAreAnsweredWithTheList) {
  expect_usage({"--dtype", "nn"}, "float32");
  EXPECT_EQ(accepted({"--dtype", "torch.bfloat16"}).dtype, DataType::bfloat16);
}

TEST(Options, HelpAndVersionAreForStdout) {
  const EarlyExit help = refused({"--help"});
  EXPECT_EQ(help.code, ExitCode::ok);
  EXPECT_TRUE(help.err.empty());
  EXPECT_GT(help.out.find("Examples:"), help.out.find("--payload-size-in-gib"));
  const EarlyExit version = refused({"--version"});
  EXPECT_EQ(version.code, ExitCode::ok);
  EXPECT_EQ(version.out, "all_reduce_bench (Shakedown) 1.2.3\n");
}

TEST(Options, AMinimumMayNameItsPayload) {
  const Options options = accepted({"--min-busbw", "1.5@64MiB"});
  EXPECT_DOUBLE_EQ(options.min_busbw->value.value, 1.5e9);
  EXPECT_EQ(options.min_busbw->at, Bytes{64u << 20});
  expect_usage({"--min-busbw", "fast"}, "fast");
}

TEST(Spelling, UnderscoresAreHyphensInNamesAlone) {
  EXPECT_EQ(normalize_arguments({"--num_iterations=3", "--notes", "a_b", "--json=a_b"}),
            (std::vector<std::string>{"--num-iterations=3", "--notes", "a_b", "--json=a_b"}));
}

TEST(Spelling, ANegativeValueStaysWithItsOption) {
  EXPECT_EQ(normalize_arguments({"-n", "-1", "--timeout", "-2"}), (std::vector<std::string>{"-n-1", "--timeout=-2"}));
}

}  // namespace
}  // namespace shakedown
