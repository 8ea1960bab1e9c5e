// SPDX-License-Identifier: Apache-2.0
#include "contract/matrix_engine_contract.h"

#include <algorithm>
#include <limits>
#include <set>

#include "shakedown/base/error.h"

namespace shakedown::testing {

std::vector<GemmKind> MatrixEngineContract::kinds() {
  std::vector<GemmKind> supported;
  for (const GemmType type : all_gemm_types()) {
    const GemmKind kind{.type = type};
    if (port().refusal(kind).empty()) supported.push_back(kind);
  }
  EXPECT_FALSE(supported.empty()) << "an engine that multiplies nothing";
  return supported;
}

void MatrixEngineContract::load_for(const GemmKind& kind, const std::vector<GemmShape>& shapes, GemmData data,
                                    std::uint64_t seed) {
  Bytes room;
  for (const GemmShape& shape : shapes) room = std::max(room, port().memory_for(kind, shape));
  port().load(kind, data, seed, room);
}

std::unique_ptr<PreparedGemm> MatrixEngineContract::prepare(const GemmShape& shape) {
  const std::vector<GemmAlgorithm> algorithms = port().algorithms(shape, 1);
  if (algorithms.empty()) throw Error("no algorithm for " + format_shape(shape));
  return port().prepare(shape, algorithms.front());
}

namespace {

constexpr int samples = 40;
const GemmShape small{256, 192, 320};
constexpr auto largest = std::numeric_limits<std::uint64_t>::max();

/// Whole tiles, more rows than columns and the reverse, and sizes that the libraries must pad.
const std::vector<GemmShape>& shapes() {
  static const std::vector<GemmShape> all{{256, 192, 320},  {64, 512, 128}, {1024, 64, 64},
                                          {128, 128, 2048}, {208, 176, 96}, {17, 33, 65},
                                          {1, 1, 1},        {100, 1, 7},    {1, 129, 1000}};
  return all;
}

void expect_right(const GemmVerification& verification, int wanted, const std::string& what) {
  EXPECT_EQ(verification.checked, static_cast<std::uint64_t>(wanted)) << what;
  EXPECT_EQ(verification.wrong, 0u) << what << ": " << verification.first_wrong;
  EXPECT_LE(verification.worst, 1.0) << what;
  EXPECT_EQ(verification.first_wrong, "") << what;
}

TEST_P(MatrixEngineContract, NamesTheChipTheLibraryAndItsUnits) {
  const EngineInfo& info = port().info();
  EXPECT_FALSE(info.chip.empty());
  EXPECT_FALSE(info.library.empty());
  EXPECT_GT(info.units, 0);
  EXPECT_GT(info.cache.count, 0u);
  EXPECT_GT(port().free_memory().count, 0u);
}

TEST_P(MatrixEngineContract, MultipliesEveryKindThatItDoesNotRefuse) {
  for (const GemmKind& kind : kinds()) {
    std::vector<GemmShape> kept;
    for (const GemmShape& shape : shapes()) {
      if (port().refusal(kind, shape).empty()) kept.push_back(shape);
    }
    ASSERT_FALSE(kept.empty()) << describe(kind);
    load_for(kind, kept);
    for (const GemmShape& shape : kept) {
      const auto gemm = prepare(shape);
      EXPECT_EQ(gemm->shape(), shape);
      EXPECT_FALSE(gemm->algorithm().empty());
      expect_right(port().verify(*gemm, samples, 3), samples, describe(kind) + " " + format_shape(shape));
    }
  }
}

TEST_P(MatrixEngineContract, MultipliesEveryLayoutAndAccumulationThatItDoesNotRefuse) {
  for (const GemmKind& standard : kinds()) {
    for (const GemmLayout layout : {GemmLayout::nn, GemmLayout::nt, GemmLayout::tt}) {
      for (const Accumulation accumulation : {Accumulation::standard, Accumulation::fast}) {
        const GemmKind kind{standard.type, accumulation, layout};
        if (!port().refusal(kind).empty() || !port().refusal(kind, small).empty()) continue;
        load_for(kind, {small});
        const auto gemm = prepare(small);
        expect_right(port().verify(*gemm, samples, 3), samples, describe(kind));
      }
    }
  }
}

TEST_P(MatrixEngineContract, IsRightWithEveryKindOfData) {
  for (const GemmKind& kind : kinds()) {
    for (const GemmData data :
         {GemmData::normal, GemmData::uniform, GemmData::integers, GemmData::zeros, GemmData::ones}) {
      load_for(kind, {small}, data);
      const auto gemm = prepare(small);
      expect_right(port().verify(*gemm, samples, 3), samples, describe(kind) + " " + std::string{name_of(data)});
    }
  }
}

TEST_P(MatrixEngineContract, RefusesInWordsAndThrowsWhenForced) {
  int refused = 0;
  for (const GemmType type : all_gemm_types()) {
    for (const Accumulation accumulation : {Accumulation::standard, Accumulation::fast, Accumulation::half}) {
      const GemmKind kind{.type = type, .accumulation = accumulation};
      const std::string reason = port().refusal(kind);
      if (reason.empty()) continue;
      ++refused;
      EXPECT_NE(reason.find(' '), std::string::npos) << describe(kind) << ": " << reason;
      EXPECT_THROW(port().load(kind, GemmData::normal, 1, Bytes{1u << 20}), Error) << describe(kind);
    }
  }
  EXPECT_GT(refused, 0) << "nothing computes everything";
  expect_right((load_for(kinds().front(), {small}), port().verify(*prepare(small), samples, 1)), samples, "afterwards");
}

TEST_P(MatrixEngineContract, RefusesShapesInWords) {
  for (const GemmKind& kind : kinds()) {
    EXPECT_EQ(port().refusal(kind, {1024, 1024, 1024}), "");
    for (const GemmShape& shape : {GemmShape{0, 64, 64}, GemmShape{64, 0, 64}, GemmShape{64, 64, 0},
                                   GemmShape{largest, 64, 64}, GemmShape{64, 64, largest}}) {
      EXPECT_NE(port().refusal(kind, shape), "") << describe(kind) << " " << format_shape(shape);
    }
    load_for(kind, {small});
    EXPECT_THROW(port().prepare({0, 64, 64}, {}), Error);
  }
}

TEST_P(MatrixEngineContract, MemoryGrowsWithTheShapeAndSaturates) {
  for (const GemmKind& kind : kinds()) {
    for (std::uint64_t GemmShape::*size : {&GemmShape::m, &GemmShape::n, &GemmShape::k}) {
      GemmShape shape{256, 256, 256};
      Bytes before;
      for (shape.*size = 64; shape.*size < 1u << 20; shape.*size += std::max<std::uint64_t>(64, shape.*size / 4)) {
        const Bytes now = port().memory_for(kind, shape);
        EXPECT_GE(now, before) << describe(kind) << " " << format_shape(shape);
        before = now;
      }
    }
    EXPECT_EQ(port().memory_for(kind, {largest, largest, largest}).count, largest) << describe(kind);
  }
}

TEST_P(MatrixEngineContract, MemoryIsEnoughForItsPlacesAndInputsDoNotLiveInTheCache) {
  for (const GemmKind& kind : kinds()) {
    const GemmShape shape{1024, 1024, 1024};
    load_for(kind, {shape});
    const auto gemm = prepare(shape);
    const auto places = static_cast<std::uint64_t>(gemm->places());
    const std::uint64_t inputs = (shape.m * shape.k + shape.k * shape.n) * input_bits_of(kind.type) / 8;
    EXPECT_GE(places, 2u);
    EXPECT_GE(places * inputs, 2 * port().info().cache.count) << describe(kind);
    EXPECT_LE(places * inputs + shape.m * shape.n * output_size_of(kind.type), port().memory_for(kind, shape).count);
  }
}

TEST_P(MatrixEngineContract, ProductsThatLiveTogetherDoNotSpoilEachOther) {
  for (const GemmKind& kind : kinds()) {
    const std::vector<GemmShape> both{{512, 256, 128}, {128, 512, 256}};
    load_for(kind, both);
    const auto first = prepare(both[0]);
    const auto second = prepare(both[1]);
    for (int round = 0; round < 3; ++round) {
      for (PreparedGemm* gemm : {first.get(), second.get()}) {
        port().start(*gemm, 2);
        port().finish();
        expect_right(port().verify(*gemm, samples, 5), samples, describe(kind));
      }
    }
  }
}

TEST_P(MatrixEngineContract, EachPlaceIsRight) {
  load_for(kinds().front(), {small});
  const auto gemm = prepare(small);
  for (int place = 0; place < std::min(gemm->places(), 20); ++place) {
    expect_right(port().verify(*gemm, 5, 1), 5, "place " + std::to_string(place));
  }
}

TEST_P(MatrixEngineContract, TheSameSeedGivesTheSameAnswer) {
  const GemmKind kind = kinds().front();
  const auto worst_of = [&](std::uint64_t seed) {
    load_for(kind, {small}, GemmData::normal, seed);
    return port().verify(*prepare(small), samples, 9).worst;
  };
  const double first = worst_of(11);
  EXPECT_GT(first, 0.0) << "random numbers round";
  EXPECT_NE(worst_of(12), first);
  EXPECT_EQ(worst_of(11), first);
}

TEST_P(MatrixEngineContract, ListsAlgorithmsWithoutDuplicatesAndRunsEach) {
  for (const GemmKind& kind : kinds()) {
    load_for(kind, {small});
    const auto algorithms = port().algorithms(small, 4);
    ASSERT_FALSE(algorithms.empty()) << describe(kind);
    EXPECT_LE(algorithms.size(), 4u);
    EXPECT_LE(port().algorithms(small, 1).size(), 1u);
    std::set<std::string> names;
    for (const GemmAlgorithm& algorithm : algorithms) {
      EXPECT_TRUE(names.insert(algorithm.name).second) << algorithm.name << " twice";
      const auto gemm = port().prepare(small, algorithm);
      EXPECT_EQ(gemm->algorithm(), algorithm.name);
      expect_right(port().verify(*gemm, samples, 3), samples, algorithm.name);
    }
  }
}

TEST_P(MatrixEngineContract, BatchesComeBackInTheOrderOfTheirStart) {
  // A thousand times the work tells them apart on the busiest machine.
  const GemmShape tiny{64, 64, 64};
  const GemmShape large{1024, 512, 1024};
  load_for(kinds().front(), {tiny, large});
  const auto quick = prepare(tiny);
  const auto slow = prepare(large);
  for (PreparedGemm* gemm : {quick.get(), slow.get()}) {
    port().start(*gemm, 3);
    port().finish();
  }
  for (int pair = 0; pair < MatrixEngine::batches_in_flight / 2; ++pair) {
    port().start(*quick, 20);
    port().start(*slow, 2);
  }
  for (int pair = 0; pair < MatrixEngine::batches_in_flight / 2; ++pair) {
    const double first = port().finish().per_call.count();
    const double second = port().finish().per_call.count();
    EXPECT_GT(first, 0.0);
    EXPECT_GT(second, first);
  }
}

TEST_P(MatrixEngineContract, AClockIsOneThatAChipCanHave) {
  load_for(kinds().front(), {small});
  const auto gemm = prepare(small);
  port().start(*gemm, 10);
  const BatchReading reading = port().finish();
  if (!reading.clock_mhz) return;
  EXPECT_GT(*reading.clock_mhz, 100);
  EXPECT_LT(*reading.clock_mhz, 10000);
}

TEST_P(MatrixEngineContract, FlushedCallsAreTimedOneByOne) {
  load_for(kinds().front(), {small});
  const auto gemm = prepare(small);
  const std::vector<double> seconds = port().run_flushed(*gemm, 3);
  ASSERT_EQ(seconds.size(), 3u);
  for (const double second : seconds) EXPECT_GT(second, 0.0);
  expect_right(port().verify(*gemm, samples, 3), samples, "after flushed calls");
}

TEST_P(MatrixEngineContract, LoadsAgainAndRefusesWhatWasNotLoadedFor) {
  for (const GemmKind& kind : kinds()) {
    load_for(kind, {small});
    const GemmShape much_larger{8192, 8192, 8192};
    if (port().memory_for(kind, much_larger) > port().memory_for(kind, small)) {
      EXPECT_THROW(port().prepare(much_larger, {}), Error) << describe(kind);
    }
    expect_right(port().verify(*prepare(small), samples, 3), samples, describe(kind));
  }
}

TEST_P(MatrixEngineContract, RefusesMoreMemoryThanThereIsAndGoesOn) {
  const GemmKind kind = kinds().front();
  EXPECT_THROW(port().load(kind, GemmData::normal, 1, Bytes{std::uint64_t{1} << 60}), Error);
  load_for(kind, {small});
  expect_right(port().verify(*prepare(small), samples, 3), samples, describe(kind));
}

TEST_P(MatrixEngineContract, TelemetryTellsWhatItTellsInPossibleNumbers) {
  Telemetry* telemetry = port().telemetry();
  if (telemetry == nullptr) return;
  const TelemetryReading reading = telemetry->read();
  EXPECT_GT(reading.clock_mhz.value_or(1), 0);
  EXPECT_GE(reading.power_w.value_or(0), 0);
  EXPECT_GT(reading.temperature_c.value_or(20), -50);
}

}  // namespace

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(MatrixEngineContract);

}  // namespace shakedown::testing
