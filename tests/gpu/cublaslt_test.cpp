// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <thread>
#include <vector>

#include "backends/cublaslt/cublaslt_engine.h"
#include "backends/cublaslt/operand_format.h"
#include "backends/cuda/gpu_absence.h"

namespace shakedown {
namespace {

constexpr int samples = 64;
constexpr GemmShape small{512, 384, 1024};

/// The engine itself, not through the loader, so that its operands can be looked at.
class CublasLtTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string reason;
    if (count_gpus(reason) == 0) GTEST_SKIP() << reason;
    engine_.emplace(0);
  }

  std::unique_ptr<PreparedGemm> prepare(const GemmKind& kind, const GemmShape& shape, GemmData data = GemmData::normal,
                                        std::uint64_t seed = 7) {
    engine_->load(kind, data, seed, engine_->memory_for(kind, shape));
    const auto offered = engine_->algorithms(shape, 1);
    if (offered.empty()) throw Error("no algorithm for " + format_shape(shape) + " of " + describe(kind));
    return engine_->prepare(shape, offered.front());
  }

  /// Numbers of A (or B) as they lie on the GPU.
  std::vector<double> values(const GemmKind& kind, GemmData data, std::uint64_t seed, bool second = false) {
    prepare(kind, small, data, seed);
    EXPECT_EQ(cudaStreamSynchronize(engine_->stream()), cudaSuccess);
    const KindFormats formats = formats_of(kind.type);
    std::vector<std::byte> bytes(std::size_t{1} << 18);
    const std::byte* from = second ? engine_->operands().b() : engine_->operands().a();
    EXPECT_EQ(cudaMemcpy(bytes.data(), from, bytes.size(), cudaMemcpyDeviceToHost), cudaSuccess);
    return decode(second ? formats.b : formats.a, bytes);
  }

  std::optional<CublasLtEngine> engine_;
};

/// Every kind that this GPU does not refuse.
std::vector<GemmKind> kinds_of(const CublasLtEngine& engine) {
  std::vector<GemmKind> kinds;
  for (const GemmType type : all_gemm_types()) {
    for (const Accumulation accumulation : {Accumulation::standard, Accumulation::fast, Accumulation::half}) {
      for (const GemmLayout layout : {GemmLayout::tn, GemmLayout::nn, GemmLayout::nt, GemmLayout::tt}) {
        const GemmKind kind{type, accumulation, layout};
        if (engine.refusal(kind).empty()) kinds.push_back(kind);
      }
    }
  }
  return kinds;
}

TEST_F(CublasLtTest, EveryKindIsRightWithEveryAlgorithmThatIsOffered) {
  const std::vector<GemmKind> kinds = kinds_of(*engine_);
  ASSERT_FALSE(kinds.empty());
  for (const GemmKind& kind : kinds) {
    // The second ends in the middle of every tile, and has a k where errors of short accumulators show.
    for (const GemmShape& shape : {small, GemmShape{1040, 48, 16384}}) {
      SCOPED_TRACE(describe(kind) + " " + format_shape(shape));
      ASSERT_EQ(engine_->refusal(kind, shape), "");
      engine_->load(kind, GemmData::normal, 7, engine_->memory_for(kind, shape));
      const auto offered = engine_->algorithms(shape, 8);
      EXPECT_FALSE(offered.empty());
      double worst = 0;
      for (const GemmAlgorithm& algorithm : offered) {
        const auto gemm = engine_->prepare(shape, algorithm);
        const GemmVerification found = engine_->verify(*gemm, samples, 3);
        EXPECT_EQ(found.checked, static_cast<std::uint64_t>(samples));
        EXPECT_EQ(found.wrong, 0u) << algorithm.name << ": " << found.first_wrong;
        worst = std::max(worst, found.worst);
      }
      EXPECT_EQ(worst > 0, kind.type != GemmType::int8) << "floats round, integers do not";
    }
  }
}

TEST_F(CublasLtTest, OddShapesAreRightWhereTheyAreLegal) {
  const GemmShape odd{333, 77, 129};
  for (const GemmKind& kind : kinds_of(*engine_)) {
    if (!engine_->refusal(kind, odd).empty()) continue;
    const auto gemm = prepare(kind, odd);
    const GemmVerification found = engine_->verify(*gemm, samples, 3);
    EXPECT_EQ(found.wrong, 0u) << describe(kind) << ", " << gemm->algorithm() << ": " << found.first_wrong;
  }
}

TEST_F(CublasLtTest, APlantedErrorIsFound) {
  const GemmKind kind{};
  const auto gemm = prepare(kind, small);
  const DeviceOperands place = engine_->multiply(*gemm);
  const auto check = [&] { return check_product(engine_->stream(), kind, small, place, samples, 3); };
  EXPECT_EQ(check().wrong, 0u);
  const std::size_t bytes = small.m * small.n * output_size_of(kind.type);
  std::vector<std::byte> right(bytes);
  ASSERT_EQ(cudaMemcpy(right.data(), place.d, bytes, cudaMemcpyDeviceToHost), cudaSuccess);
  ASSERT_EQ(cudaMemset(place.d, 0, bytes), cudaSuccess);
  EXPECT_GT(check().wrong, static_cast<std::uint64_t>(samples / 2)) << "zeros";
  ASSERT_EQ(cudaMemset(place.d, 0xFF, bytes), cudaSuccess);
  EXPECT_EQ(check().wrong, static_cast<std::uint64_t>(samples)) << "NaNs";
  ASSERT_EQ(cudaMemcpy(place.d + 2, right.data(), bytes - 2, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_GT(check().wrong, static_cast<std::uint64_t>(samples / 2)) << "shifted by an element";
  ASSERT_EQ(cudaMemcpy(place.d, right.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(check().wrong, 0u) << "right again";
}

TEST_F(CublasLtTest, AnAnswerInTf32IsNoneInFloat32) {
  const GemmShape shape{512, 512, 4096};
  const auto gemm = prepare({.type = GemmType::tfloat32}, shape);
  const DeviceOperands place = engine_->multiply(*gemm);
  EXPECT_EQ(check_product(engine_->stream(), {.type = GemmType::tfloat32}, shape, place, samples, 3).wrong, 0u);
  EXPECT_GT(check_product(engine_->stream(), {.type = GemmType::float32}, shape, place, samples, 3).wrong, 0u);
}

TEST_F(CublasLtTest, CallsRotateOverTheirPlaces) {
  const auto gemm = prepare({}, small);
  const auto places = static_cast<std::size_t>(gemm->places());
  ASSERT_GE(places, 2u);
  std::set<const std::byte*> a;
  std::set<const std::byte*> b;
  std::set<const std::byte*> d;
  const DeviceOperands first = engine_->multiply(*gemm);
  for (std::size_t call = 0; call < places; ++call) {
    const DeviceOperands place = engine_->multiply(*gemm);
    a.insert(place.a);
    b.insert(place.b);
    d.insert(place.d);
    EXPECT_EQ(place.a == first.a, call + 1 == places) << "the first place comes again when all had their turn";
  }
  EXPECT_EQ(a.size(), places);
  EXPECT_EQ(b.size(), places);
  EXPECT_GE(d.size(), 2u);
}

TEST_F(CublasLtTest, NormalDataAreNormal) {
  for (const GemmType type : all_gemm_types()) {
    const GemmKind kind{.type = type};
    if (!engine_->refusal(kind).empty()) continue;
    for (const bool second : {false, true}) {
      const std::vector<double> data = values(kind, GemmData::normal, 42, second);
      double sum = 0;
      double squares = 0;
      double zeros = 0;
      double negative = 0;
      for (const double value : data) {
        sum += value;
        squares += value * value;
        zeros += value == 0 ? 1 : 0;
        negative += value < 0 ? 1 : 0;
      }
      const auto count = static_cast<double>(data.size());
      const double scale = type == GemmType::int8 ? 32 : 1;
      // Five deviations of each estimate; formats of few bits round the deviation itself by a few percent.
      EXPECT_NEAR(sum / count, 0, scale * 5 / std::sqrt(count)) << name_of(type);
      EXPECT_NEAR(std::sqrt(squares / count), scale, scale * (input_bits_of(type) < 16 ? 0.05 : 0.02)) << name_of(type);
      EXPECT_NEAR(negative / (count - zeros), 0.5, 0.02) << name_of(type);
      // Formats of 8 and fewer bits round more of the small numbers to zero.
      EXPECT_LT(zeros, (input_bits_of(type) >= 16 ? 0.01 : 0.2) * count) << name_of(type);
    }
  }
}

TEST_F(CublasLtTest, OtherDataAreWhatTheyAreCalled) {
  const auto all_in = [](const std::vector<double>& data, auto holds) {
    return std::all_of(data.begin(), data.end(), holds);
  };
  const GemmKind kind{};
  EXPECT_TRUE(all_in(values(kind, GemmData::zeros, 1), [](double value) { return value == 0; }));
  EXPECT_TRUE(all_in(values(kind, GemmData::ones, 1), [](double value) { return value == 1; }));
  const auto uniform = values(kind, GemmData::uniform, 1);
  EXPECT_TRUE(all_in(uniform, [](double value) { return value >= -1 && value <= 1; }));
  EXPECT_LT(*std::min_element(uniform.begin(), uniform.end()), -0.9);
  EXPECT_GT(*std::max_element(uniform.begin(), uniform.end()), 0.9);
  const auto integers = values(kind, GemmData::integers, 1);
  EXPECT_EQ(std::set<double>(integers.begin(), integers.end()).size(), 9u);
  EXPECT_TRUE(all_in(integers, [](double value) { return value == std::round(value) && std::abs(value) <= 4; }));
}

TEST_F(CublasLtTest, TheSeedDecidesTheDataAndAIsNotB) {
  const auto first = values({}, GemmData::normal, 42);
  EXPECT_EQ(values({}, GemmData::normal, 42), first);
  EXPECT_NE(values({}, GemmData::normal, 43), first);
  EXPECT_NE(values({}, GemmData::normal, 42, true), first);
}

TEST_F(CublasLtTest, TheCountedClockIsThatOfTheSensors) {
  if (engine_->telemetry() == nullptr) GTEST_SKIP() << "NVML is not here";
  const auto gemm = prepare({}, {4096, 4096, 4096});
  // Half a second of work, in which the sensors are read.
  for (int batch = 0; batch < MatrixEngine::batches_in_flight; ++batch) engine_->start(*gemm, 300);
  std::optional<double> counted;
  std::optional<double> told;
  for (int batch = 0; batch < MatrixEngine::batches_in_flight; ++batch) {
    if (batch == MatrixEngine::batches_in_flight / 2) told = engine_->telemetry()->read().clock_mhz;
    const BatchReading reading = engine_->finish();
    if (batch == MatrixEngine::batches_in_flight / 2) counted = reading.clock_mhz;
  }
  ASSERT_TRUE(counted.has_value() && told.has_value());
  EXPECT_NEAR(*counted, *told, 0.2 * *told);
  EXPECT_LE(*counted, 1.02 * engine_->info().max_clock_mhz.value_or(1e6));
}

TEST_F(CublasLtTest, NoMoreBatchesThanPromisedMayFly) {
  const auto gemm = prepare({}, small);
  for (int batch = 0; batch < MatrixEngine::batches_in_flight; ++batch) engine_->start(*gemm, 2);
  EXPECT_THROW(engine_->start(*gemm, 2), Error);
  for (int batch = 0; batch < MatrixEngine::batches_in_flight; ++batch) {
    EXPECT_GT(engine_->finish().per_call.count(), 0.0);
  }
  EXPECT_THROW(engine_->finish(), Error);
}

TEST_F(CublasLtTest, ShapesAreRightAfterLargerOnesTookTheMemory) {
  const GemmShape large{4096, 4096, 4096};
  engine_->load({}, GemmData::normal, 1, engine_->memory_for({}, large));
  const auto first = engine_->prepare(small, engine_->algorithms(small, 1).front());
  engine_->start(*first, 3);
  const auto second = engine_->prepare(large, engine_->algorithms(large, 1).front());
  engine_->finish();
  EXPECT_EQ(engine_->verify(*second, samples, 1).wrong, 0u);
  EXPECT_EQ(engine_->verify(*first, samples, 1).wrong, 0u);
}

TEST_F(CublasLtTest, EnginesOfTwoThreadsDoNotDisturbEachOther) {
  const auto gemm = prepare({}, small);
  std::uint64_t wrong = samples;
  std::thread other([&] {
    CublasLtEngine engine(0);
    engine.load({}, GemmData::normal, 1, engine.memory_for({}, small));
    const auto own = engine.prepare(small, engine.algorithms(small, 1).front());
    wrong = engine.verify(*own, samples, 1).wrong;
  });
  EXPECT_EQ(engine_->verify(*gemm, samples, 1).wrong, 0u);
  other.join();
  EXPECT_EQ(wrong, 0u);
}

TEST_F(CublasLtTest, SensorsTellPowerClockAndLimit) {
  if (engine_->telemetry() == nullptr) GTEST_SKIP() << "NVML is not here";
  const TelemetryReading before = engine_->telemetry()->read();
  ASSERT_TRUE(before.clock_mhz && before.temperature_c);
  if (!before.power_w) GTEST_SKIP() << "this GPU does not tell its power";
  EXPECT_GT(*before.power_w, 1);
  EXPECT_LT(*before.power_w, 2 * engine_->telemetry()->power_limit_w().value_or(1e6));
}

}  // namespace
}  // namespace shakedown
