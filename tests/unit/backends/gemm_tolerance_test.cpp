// SPDX-License-Identifier: Apache-2.0
#include "backends/cublaslt/gemm_tolerance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace shakedown {
namespace {

constexpr int samples = 200;

std::vector<double> normal_values(std::size_t count, std::mt19937& random) {
  std::normal_distribution<float> normal;
  std::vector<double> values(count);
  for (double& value : values) value = static_cast<double>(normal(random));
  return values;
}

/// The nearest number with so many bits of fraction, or the next one towards zero.
double rounded(double value, int bits) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, bits + 1)), exponent - bits - 1);
}
double cut_off(double value, int bits) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::trunc(std::ldexp(fraction, bits + 1)), exponent - bits - 1);
}

/// A sum as hardware may make it, `wrong` done to it afterwards, and what the check says.
template <class Sum, class Wrong>
GemmVerification check(const GemmKind& kind, std::size_t k, Sum sum, Wrong wrong) {
  std::mt19937 random{5};
  GemmVerification found;
  for (int sample = 0; sample < samples; ++sample) {
    const std::vector<double> a = normal_values(k, random);
    const std::vector<double> b = normal_values(k, random);
    const ReferenceSum reference = reference_sum(a, b);
    judge(found, {.row = 3,
                  .column = static_cast<std::uint64_t>(sample),
                  .got = wrong(sum(a, b)),
                  .expected = static_cast<double>(reference.sum),
                  .allowed = allowed_error(kind, reference),
                  .largest = std::numeric_limits<double>::infinity()});
  }
  return found;
}

double as_it_is(double value) { return value; }

double bfloat16_product(const std::vector<double>& a, const std::vector<double>& b) {
  float sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<float>(a[i] * b[i]);
  return rounded(static_cast<double>(sum), 7);
}

/// 32 products a step into 13 bits of fraction, what lies below cut off.
double fast_float8_product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); i += 32) {
    double step = 0;
    for (std::size_t j = i; j < std::min(i + 32, a.size()); ++j) step += a[j] * b[j];
    sum = cut_off(sum + step, 13);
  }
  return rounded(sum, 7);
}

double half_product(const std::vector<double>& a, const std::vector<double>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum = rounded(sum + a[i] * b[i], 10);
  return sum;
}

double tfloat32_product(const std::vector<double>& a, const std::vector<double>& b) {
  float sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += static_cast<float>(cut_off(a[i], 10) * cut_off(b[i], 10));
  return static_cast<double>(sum);
}

TEST(GemmTolerance, LetsPassWhatHardwareDoes) {
  const GemmKind half{.type = GemmType::float16, .accumulation = Accumulation::half};
  const GemmKind fast{.type = GemmType::float8_e4m3fn, .accumulation = Accumulation::fast};
  for (const std::size_t k : {std::size_t{1}, std::size_t{64}, std::size_t{1000}, std::size_t{8192}}) {
    EXPECT_EQ(check({}, k, bfloat16_product, as_it_is).wrong, 0u) << k;
    EXPECT_EQ(check(half, k, half_product, as_it_is).wrong, 0u) << k;
    EXPECT_EQ(check(fast, k, fast_float8_product, as_it_is).wrong, 0u) << k;
    EXPECT_EQ(check({.type = GemmType::tfloat32}, k, tfloat32_product, as_it_is).wrong, 0u) << k;
  }
}

TEST(GemmTolerance, FindsZerosNansAndShiftedResults) {
  constexpr std::size_t k = 4096;
  const auto nearly_all = static_cast<std::uint64_t>(samples * 9 / 10);
  const auto zeros = check({}, k, bfloat16_product, [](double) { return 0.0; });
  EXPECT_GE(zeros.wrong, nearly_all);
  EXPECT_GT(zeros.worst, 1.0);
  EXPECT_TRUE(zeros.first_wrong.starts_with("row 3, column ")) << zeros.first_wrong;
  const auto nans = check({}, k, bfloat16_product, [](double) { return std::nan(""); });
  EXPECT_EQ(nans.wrong, static_cast<std::uint64_t>(samples));
  double last = 1;
  const auto shifted = check({}, k, bfloat16_product, [&](double value) { return std::exchange(last, value); });
  EXPECT_GE(shifted.wrong, nearly_all);
}

TEST(GemmTolerance, FindsZerosInTheLeastExactKinds) {
  const auto most = static_cast<std::uint64_t>(samples / 2);
  const auto zero = [](double) { return 0.0; };
  EXPECT_GE(check({GemmType::float16, Accumulation::half, {}}, 8192, half_product, zero).wrong, most);
  EXPECT_GE(check({GemmType::float8_e4m3fn, Accumulation::fast, {}}, 16384, fast_float8_product, zero).wrong, most);
}

TEST(GemmTolerance, TellsTf32FromFloat32AndFastFromStandardSums) {
  EXPECT_GT(check({.type = GemmType::float32}, 4096, tfloat32_product, as_it_is).wrong, 0u);
  const GemmKind standard{.type = GemmType::float8_e4m3fn};
  const GemmKind fast{.type = GemmType::float8_e4m3fn, .accumulation = Accumulation::fast};
  std::mt19937 random{5};
  const std::vector<double> values = normal_values(8192, random);
  const ReferenceSum reference = reference_sum(values, values);
  EXPECT_GT(allowed_error(fast, reference), allowed_error(standard, reference));
}

TEST(GemmTolerance, IntegersMustAgree) {
  const std::vector<double> ones(100, 1.0);
  const GemmKind kind{.type = GemmType::int8};
  EXPECT_EQ(allowed_error(kind, reference_sum(ones, ones)), 0.0);
  GemmVerification found;
  judge(found, {.got = 100, .expected = 100, .allowed = 0, .largest = 0x1p31});
  EXPECT_EQ(found.wrong, 0u);
  judge(found, {.got = 101, .expected = 100, .allowed = 0, .largest = 0x1p31});
  EXPECT_EQ(found.wrong, 1u);
}

TEST(GemmTolerance, AResultTooLargeForItsTypeIsInfinite) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  GemmVerification found;
  judge(found, {.got = infinity, .expected = 70000, .allowed = 10, .largest = 65504});
  EXPECT_EQ(found.wrong, 0u);
  judge(found, {.got = -infinity, .expected = 70000, .allowed = 10, .largest = 65504});
  judge(found, {.got = infinity, .expected = 60000, .allowed = 10, .largest = 65504});
  EXPECT_EQ(found.wrong, 2u);
  EXPECT_EQ(found.checked, 3u);
}

}  // namespace
}  // namespace shakedown
