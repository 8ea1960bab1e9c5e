// SPDX-License-Identifier: Apache-2.0
#include "shakedown/base/size_text.h"

#include <gtest/gtest.h>

#include "shakedown/base/error.h"

namespace shakedown {
namespace {

struct Accepted {
  const char* text;
  std::uint64_t bytes;
};

TEST(ParseSize, AcceptsWhatPeopleWrite) {
  constexpr std::uint64_t kib = 1024, mib = kib * 1024, gib = mib * 1024, tib = gib * 1024;
  const Accepted table[] = {
      {"1G", gib},
      {"1g", gib},
      {"1GiB", gib},
      {"1gib", gib},
      {"1.5G", gib + gib / 2},
      {"1048576", mib},
      {"1GB", 1'000'000'000},
      {"1gb", 1'000'000'000},
      {"2.5KB", 2500},
      {"32KiB", 32 * kib},
      {"64k", 64 * kib},
      {"0.5K", 512},
      {"2M", 2 * mib},
      {"1T", tib},
      {"1TB", 1'000'000'000'000},
      {"8B", 8},
      {"0", 0},
      {"007", 7},
      {"1.0", 1},
      {"1.500K", 1536},
      {"9223372036854775807", 9'223'372'036'854'775'807u},
      {"9223372036854775.807KB", 9'223'372'036'854'775'807u},
      {"8388607T", 8'388'607 * tib},
  };
  for (const auto& [text, bytes] : table) EXPECT_EQ(parse_size(text, "--size").count, bytes) << text;
}

TEST(ParseSize, KeepsEveryDigitOfAFraction) {
  // 2^-40 of a TiB is one byte and takes forty decimals; a double has sixteen.
  EXPECT_EQ(parse_size("1.0000000000009094947017729282379150390625T", "--size").count, (1ull << 40) + 1);
  EXPECT_THROW(parse_size("1.0000000000009094947017729282379150390626T", "--size"), UsageError);
  EXPECT_EQ(parse_size("4096.000000000931322574615478515625G", "--size").count, (1ull << 42) + 1);
}

TEST(ParseSize, RefusesEverythingElseAndRepeatsIt) {
  for (const char* text : {"1Gfoo",
                           "",
                           "-",
                           "-1",
                           "+1",
                           "nan",
                           "inf",
                           "1e400",
                           "1e9",
                           "0x10",
                           "1,5G",
                           "18446744073709551616",
                           "99999999999G",
                           "9223372036854775808",
                           "8388608T",
                           "٣",
                           " 1G",
                           "1 G",
                           "1G ",
                           "1.0000001K",
                           "0.3",
                           "1.5",
                           "1.",
                           ".5G",
                           "1..5G",
                           "G",
                           "1Gi",
                           "1GiBB",
                           "1P",
                           "1KK",
                           "1iB",
                           "1G\n",
                           "9223372036854775807.5K",
                           "9223372036854775.808KB"}) {
    try {
      parse_size(text, "--min-bytes");
      ADD_FAILURE() << "accepted \"" << text << '"';
    } catch (const UsageError& error) {
      const std::string message = error.what();
      EXPECT_NE(message.find("'" + std::string{text} + "'"), std::string::npos) << message;
      EXPECT_EQ(message.rfind("--min-bytes", 0), 0u) << message;
      EXPECT_NE(message.find("1.5G"), std::string::npos) << "says what is allowed: " << message;
      EXPECT_EQ(error.exit_code(), ExitCode::usage);
    }
  }
  EXPECT_THROW(parse_size(std::string_view("1\0G", 3), "--size"), UsageError);
}

TEST(FormatSize, TakesTheLargestUnitThatIsExact) {
  EXPECT_EQ(format_size(Bytes{0}), "0 B");
  EXPECT_EQ(format_size(Bytes{1023}), "1023 B");
  EXPECT_EQ(format_size(Bytes{1024}), "1 KiB");
  EXPECT_EQ(format_size(Bytes{1536}), "1.5 KiB");
  EXPECT_EQ(format_size(Bytes{65536}), "64 KiB");
  EXPECT_EQ(format_size(Bytes{5ull << 28}), "1.25 GiB");
  EXPECT_EQ(format_size(Bytes{(1ull << 30) + (1ull << 20)}), "1025 MiB");
  EXPECT_EQ(format_size(Bytes{37748744}), "37748744 B");
  EXPECT_EQ(format_size(Bytes{(1ull << 63) - 1}), "9223372036854775807 B");
  EXPECT_EQ(format_size(Bytes{1ull << 62}), "4194304 TiB");
}

TEST(FormatSize, LosesNothing) {
  for (std::uint64_t bytes = 1; bytes < (1ull << 62); bytes += bytes / 7 + 1) {
    std::string text = format_size(Bytes{bytes});
    text.erase(text.find(' '), 1);
    EXPECT_EQ(parse_size(text, "text").count, bytes);
  }
}

TEST(ApproximateSize, HasOneDecimalAtTheMost) {
  EXPECT_EQ(approximate_size(Bytes{145001600ull << 10}), "138.3 GiB");
  EXPECT_EQ(approximate_size(Bytes{140u << 10}), "140 KiB");
  EXPECT_EQ(approximate_size(Bytes{0}), "0 B");
  EXPECT_EQ(approximate_size(Bytes{1023}), "1023 B");
}

}  // namespace
}  // namespace shakedown
