// SPDX-License-Identifier: Apache-2.0
#include "backends/host_matrix/sampled_check.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>
#include <vector>

namespace shakedown {
namespace {

constexpr GemmShape shape{5, 7, 300};

/// Plain row-major matrices, multiplied by the test itself.
class PlainProduct final : public HostProduct {
 public:
  [[nodiscard]] const std::string& algorithm() const override { return name_; }
  [[nodiscard]] OperandOrder a_order() const override { return {}; }
  [[nodiscard]] OperandOrder b_order() const override { return {}; }
  [[nodiscard]] std::size_t d_bytes() const override { return 0; }
  [[nodiscard]] std::size_t a_index(std::uint64_t row, std::uint64_t column) const override {
    return row * shape.k + column;
  }
  [[nodiscard]] std::size_t b_index(std::uint64_t row, std::uint64_t column) const override {
    return row * shape.n + column;
  }
  [[nodiscard]] std::size_t d_index(std::uint64_t row, std::uint64_t column) const override {
    return row * shape.n + column;
  }
  void set_places(const std::vector<OperandPointers>& /*none are kept*/) override {}
  void multiply(std::size_t /*the test does*/) override {}

 private:
  std::string name_{"plain"};
};

/// Matrices of one type, and their product by the obvious loop.
template <class Input, class Output>
struct Matrices {
  std::vector<Input> a = std::vector<Input>(shape.m * shape.k);
  std::vector<Input> b = std::vector<Input>(shape.k * shape.n);
  std::vector<Output> d = std::vector<Output>(shape.m * shape.n);

  explicit Matrices(const std::function<double(std::size_t)>& value) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<Input>(value(i));
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<Input>(value(3 * i + 1));
    for (std::size_t row = 0; row < shape.m; ++row) {
      for (std::size_t column = 0; column < shape.n; ++column) {
        for (std::size_t i = 0; i < shape.k; ++i) {
          d[row * shape.n + column] += static_cast<Output>(a[row * shape.k + i]) * b[i * shape.n + column];
        }
      }
    }
  }

  GemmVerification check(const HostTypes& types) {
    const auto bytes = [](auto& values) { return reinterpret_cast<std::byte*>(values.data()); };
    return check_samples(PlainProduct{}, types, shape, {bytes(a), bytes(b), bytes(d)}, 200, 1);
  }
};

const HostTypes float32s{DataType::float32, DataType::float32, DataType::float32};
const HostTypes int8s{DataType::int8, DataType::int8, DataType::int32};

double wave(std::size_t i) { return static_cast<double>(i * 7919 % 2003) / 1001.5 - 1; }
double small_integer(std::size_t i) { return static_cast<double>(i * 7919 % 201) - 100; }

TEST(SampledCheck, AcceptsWhatRoundingCauses) {
  const GemmVerification result = Matrices<float, float>(wave).check(float32s);
  EXPECT_EQ(result.checked, 200u);
  EXPECT_EQ(result.wrong, 0u) << result.first_wrong;
  EXPECT_GT(result.worst, 0);
  EXPECT_LT(result.worst, 1);
}

TEST(SampledCheck, FindsAMissingTermInACorner) {
  for (const std::size_t corner : {std::size_t{0}, shape.n - 1, (shape.m - 1) * shape.n, shape.m * shape.n - 1}) {
    Matrices<float, float> matrices(wave);
    const std::size_t row = corner / shape.n;
    matrices.d[corner] -= matrices.a[row * shape.k + 9] * matrices.b[9 * shape.n + corner % shape.n];
    const GemmVerification result = matrices.check(float32s);
    EXPECT_GT(result.wrong, 0u);
    EXPECT_GT(result.worst, 1);
    EXPECT_EQ(result.first_wrong.rfind("row " + std::to_string(row) + ", column ", 0), 0u) << result.first_wrong;
  }
}

TEST(SampledCheck, TakesPoisonForWrong) {
  Matrices<float, float> matrices(wave);
  poison_result(DataType::float32, reinterpret_cast<std::byte*>(matrices.d.data()), matrices.d.size() * sizeof(float));
  EXPECT_EQ(matrices.check(float32s).wrong, 200u);
  Matrices<std::int8_t, std::int32_t> integers(small_integer);
  poison_result(DataType::int32, reinterpret_cast<std::byte*>(integers.d.data()),
                integers.d.size() * sizeof(std::int32_t));
  EXPECT_EQ(integers.check(int8s).wrong, 200u);
}

TEST(SampledCheck, WantsIntegersExactly) {
  Matrices<std::int8_t, std::int32_t> matrices(small_integer);
  EXPECT_EQ(matrices.check(int8s).wrong, 0u);
  EXPECT_EQ(matrices.check(int8s).worst, 0);
  ++matrices.d.front();
  EXPECT_GT(matrices.check(int8s).wrong, 0u);
}

TEST(SampledCheck, AcceptsZeros) {
  const GemmVerification result = Matrices<float, float>([](std::size_t) { return 0.0; }).check(float32s);
  EXPECT_EQ(result.wrong, 0u);
  EXPECT_EQ(result.worst, 0);
}

}  // namespace
}  // namespace shakedown
