// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <thread>

#include "shakedown/backends/matrix_module.h"
#include "shakedown/math/gemm_cost.h"

namespace shakedown {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

class CublasLt : public testing::Test {
 protected:
  void SetUp() override {
    Loaded<MatrixModule> loaded = load_cublaslt_module();
    if (!loaded.module) GTEST_SKIP() << loaded.reason;
    module_ = std::move(loaded.module);
    std::string reason;
    if (module_->device_count(reason) == 0) GTEST_SKIP() << reason;
    engine_ = module_->open_engine(0);
  }

  std::unique_ptr<PreparedGemm> ready(const GemmKind& kind, const GemmShape& shape, GemmData data = GemmData::normal) {
    engine_->load(kind, data, 7, engine_->memory_for(kind, shape));
    const auto offered = engine_->algorithms(shape, 1);
    return offered.empty() ? nullptr : engine_->prepare(shape, offered.front());
  }

  std::shared_ptr<MatrixModule> module_;
  std::unique_ptr<MatrixEngine> engine_;
};

std::vector<GemmKind> every_kind() {
  return {{GemmType::float64, {}, {}},
          {GemmType::float32, {}, {}},
          {GemmType::tfloat32, {}, {}},
          {GemmType::float16, {}, {}},
          {GemmType::float16, Accumulation::half, {}},
          {GemmType::bfloat16, {}, {}},
          {GemmType::bfloat16, {}, GemmLayout::nn},
          {GemmType::bfloat16, {}, GemmLayout::nt},
          {GemmType::bfloat16, {}, GemmLayout::tt},
          {GemmType::float8_e4m3fn, Accumulation::fast, {}},
          {GemmType::float8_e4m3fn, {}, {}},
          {GemmType::float8_e5m2, Accumulation::fast, {}},
          {GemmType::float8_e5m2, {}, {}},
          {GemmType::int8, {}, {}},
          {GemmType::mxfp8, {}, {}},
          {GemmType::nvfp4, {}, {}}};
}

TEST_F(CublasLt, every_kind_of_this_chip_multiplies_right_with_every_algorithm) {
  int measured = 0;
  for (const GemmKind& kind : every_kind()) {
    if (!engine_->refusal(kind).empty()) continue;
    for (const GemmShape& shape : {GemmShape{512, 384, 1024}, GemmShape{1040, 48, 16384}}) {
      SCOPED_TRACE(describe(kind) + " " + format_shape(shape));
      ASSERT_THAT(engine_->refusal(kind, shape), IsEmpty());
      engine_->load(kind, GemmData::normal, 7, engine_->memory_for(kind, shape));
      const auto offered = engine_->algorithms(shape, 8);
      ASSERT_FALSE(offered.empty());
      for (const GemmAlgorithm& algorithm : offered) {
        const auto gemm = engine_->prepare(shape, algorithm);
        const GemmVerification found = engine_->verify(*gemm, 64, 3);
        EXPECT_EQ(found.checked, 64u);
        EXPECT_EQ(found.wrong, 0u) << algorithm.name << ": " << found.first_wrong;
        EXPECT_GT(kind.type == GemmType::int8 ? 1.0 : found.worst, 0.0) << "nothing was rounded at all";
        std::printf("%-48s %-16s worst error %.3f of the allowed\n", describe(kind).c_str(),
                    format_shape(shape).c_str(), found.worst);
        ++measured;
      }
    }
  }
  EXPECT_GT(measured, 0);
}

TEST_F(CublasLt, true_float32_is_more_exact_than_tfloat32) {
  // The allowance of float32 is that of 24 bits, so that a TF32 product in its place would be wrong.
  const auto gemm = ready({GemmType::float32, {}, {}}, {512, 512, 4096});
  ASSERT_TRUE(gemm);
  EXPECT_EQ(engine_->verify(*gemm, 256, 3).wrong, 0u);
}

TEST_F(CublasLt, the_clock_is_counted_on_the_device) {
  const auto gemm = ready({}, {4096, 4096, 4096});
  engine_->start(*gemm, 20);
  const BatchReading reading = engine_->finish();
  ASSERT_TRUE(reading.clock_mhz);
  ASSERT_TRUE(engine_->info().max_clock_mhz);
  EXPECT_LE(*reading.clock_mhz, 1.02 * *engine_->info().max_clock_mhz);
  EXPECT_GE(*reading.clock_mhz, 0.3 * *engine_->info().max_clock_mhz);
}

TEST_F(CublasLt, small_products_are_not_timed_by_their_launches) {
  const auto gemm = ready({}, {256, 256, 256});
  engine_->start(*gemm, 100);
  engine_->finish();
  engine_->start(*gemm, 100);
  EXPECT_LT(engine_->finish().per_call.count(), 10e-6);
}

TEST_F(CublasLt, inputs_rotate_through_twice_the_cache) {
  const GemmShape shape{1024, 1024, 1024};
  const auto gemm = ready({}, shape);
  EXPECT_GE(static_cast<std::uint64_t>(gemm->places()) * input_bytes_of(shape, GemmType::bfloat16).count,
            2 * engine_->info().cache.count);
}

TEST_F(CublasLt, random_data_need_more_time_than_zeros) {
  // Data decide power, so this shows that normal data are there at all; a long batch, so that the power cap acts.
  const GemmShape shape{8192, 8192, 8192};
  auto gemm = ready({}, shape);
  engine_->start(*gemm, 300);
  const double normal = engine_->finish().per_call.count();
  gemm = ready({}, shape, GemmData::zeros);
  engine_->start(*gemm, 300);
  EXPECT_LT(engine_->finish().per_call.count(), normal);
}

TEST_F(CublasLt, engines_of_two_threads_do_not_disturb_each_other) {
  const auto gemm = ready({}, {1024, 1024, 1024});
  std::uint64_t wrong = 1;
  std::thread other([&] {
    const auto engine = module_->open_engine(0);
    engine->load({}, GemmData::normal, 1, engine->memory_for({}, {512, 512, 512}));
    const auto own = engine->prepare({512, 512, 512}, engine->algorithms({512, 512, 512}, 1).front());
    wrong = engine->verify(*own, 16, 1).wrong;
  });
  other.join();
  EXPECT_EQ(wrong, 0u);
  EXPECT_EQ(engine_->verify(*gemm, 16, 1).wrong, 0u);
}

TEST_F(CublasLt, sensors_tell_power_and_clock) {
  if (engine_->telemetry() == nullptr) GTEST_SKIP() << "NVML is not here";
  const TelemetryReading reading = engine_->telemetry()->read();
  ASSERT_TRUE(reading.power_w);
  EXPECT_GT(*reading.power_w, 5);
  ASSERT_TRUE(reading.clock_mhz);
  EXPECT_GT(engine_->telemetry()->power_limit_w().value_or(1), 0);
}

}  // namespace
}  // namespace shakedown
