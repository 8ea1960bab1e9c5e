// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <numeric>
#include <stdexcept>

#include "backends/element_codec.h"
#include "contract/contract.h"
#include "contract/slice.h"
#include "shakedown/base/error.h"

namespace shakedown::testing {
namespace {

constexpr std::uint32_t seed = 7;
constexpr std::uint8_t poison = 0xFF;

std::unique_ptr<Buffer> allocate(Device& device, DataType type, std::uint64_t count) {
  return device.allocate(Bytes{count * size_of(type)});
}

/// Whether the right sum at `index` differs from an element of poison; in int8, -1 may be right.
bool poison_is_wrong(DataType type, const CheckPattern& pattern, std::uint64_t index) {
  return with_element(type, [&](auto element) {
    using Bits = typename decltype(element)::Bits;
    return decltype(element)::encode(pattern_sum(pattern, index)) != static_cast<Bits>(~Bits{0});
  });
}

/// How many of the first `count` elements are wrong when all are poison.
std::uint64_t wrong_when_poisoned(DataType type, const CheckPattern& pattern, std::uint64_t count) {
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < count; ++i) wrong += poison_is_wrong(type, pattern, i) ? 1u : 0u;
  return wrong;
}

/// The first index from `start` on where poison is wrong.
std::uint64_t plantable(DataType type, const CheckPattern& pattern, std::uint64_t start) {
  while (!poison_is_wrong(type, pattern, start)) ++start;
  return start;
}

void plant(Device& device, const Buffer& buffer, DataType type, std::uint64_t index) {
  Slice element(buffer, index * size_of(type), size_of(type));
  device.fill_bytes(element, poison, element.size());
}

TEST_P(DeviceContract, HasANameAndMemory) {
  EXPECT_FALSE(port().info().name.empty());
  EXPECT_GT(port().free_memory().count, 0u);
  EXPECT_LE(port().free_memory(), port().info().memory);
}

TEST_P(DeviceContract, AllocatesWhatWasAsked) {
  for (const std::uint64_t size : {0ull, 1ull, 4097ull, 3ull << 20}) {
    const auto buffer = port().allocate(Bytes{size});
    EXPECT_EQ(buffer->size().count, size);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer->data()) % 64, 0u);
    port().fill_bytes(*buffer, poison, buffer->size());
    port().synchronize();
  }
}

TEST_P(DeviceContract, RefusesMoreMemoryThanThereIsAndGoesOn) {
  const std::uint64_t exbibyte = 1ull << 60;
  try {
    port().allocate(Bytes{exbibyte});
    FAIL() << "an exbibyte was given";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find(std::to_string(exbibyte)), std::string::npos) << error.what();
  }
  EXPECT_NO_THROW(port().allocate(Bytes{4096}));
  EXPECT_NO_THROW(port().synchronize());
}

TEST_P(DeviceContract, WhatOneRankPutsInIsTheSumOverOneRank) {
  for (const DataType type : all_data_types()) {
    const CheckPattern pattern = make_check_pattern(type, 1, seed);
    for (const std::uint64_t count : {0ull, 1ull, 15ull, 17ull, 65539ull}) {
      const auto buffer = allocate(port(), type, count);
      port().fill_bytes(*buffer, poison, buffer->size());
      port().fill_contribution(*buffer, type, count, pattern, 0);
      EXPECT_EQ(port().check_sum(*buffer, type, count, pattern).wrong, 0u) << name_of(type) << " " << count;
    }
  }
}

TEST_P(DeviceContract, OneContributionOfManyIsNotTheSum) {
  const std::uint64_t count = 1000;
  for (const DataType type : all_data_types()) {
    const CheckPattern pattern = make_check_pattern(type, 4, seed);
    const auto buffer = allocate(port(), type, count);
    port().fill_contribution(*buffer, type, count, pattern, 2);
    EXPECT_GT(port().check_sum(*buffer, type, count, pattern).wrong, count / 2) << name_of(type);
  }
}

TEST_P(DeviceContract, PoisonIsCountedElementByElement) {
  const std::uint64_t count = 70001;
  for (const DataType type : all_data_types()) {
    const CheckPattern pattern = make_check_pattern(type, 1, seed);
    const auto buffer = allocate(port(), type, count);
    port().fill_bytes(*buffer, poison, buffer->size());
    const Mismatch mismatch = port().check_sum(*buffer, type, count, pattern);
    EXPECT_EQ(mismatch.wrong, wrong_when_poisoned(type, pattern, count)) << name_of(type);
    EXPECT_EQ(mismatch.first_index, plantable(type, pattern, 0)) << name_of(type);
  }
}

TEST_P(DeviceContract, FillBytesTouchesNoMoreThanItsSize) {
  const std::uint64_t count = 1000;
  const std::uint64_t poisoned = 37;
  const CheckPattern pattern = make_check_pattern(DataType::float32, 1, seed);
  const auto buffer = allocate(port(), DataType::float32, count);
  port().fill_contribution(*buffer, DataType::float32, count, pattern, 0);
  port().fill_bytes(*buffer, poison, Bytes{poisoned * sizeof(float)});
  EXPECT_EQ(port().check_sum(*buffer, DataType::float32, count, pattern).wrong, poisoned);
}

TEST_P(DeviceContract, FindsOneWrongElementAndSaysWhatItIs) {
  const std::uint64_t count = 100003;
  for (const DataType type : all_data_types()) {
    const CheckPattern pattern = make_check_pattern(type, 1, seed);
    const auto buffer = allocate(port(), type, count);
    for (const std::uint64_t start : {0ull, 54321ull, 99990ull}) {
      const std::uint64_t index = plantable(type, pattern, start);
      ASSERT_LT(index, count);
      port().fill_contribution(*buffer, type, count, pattern, 0);
      plant(port(), *buffer, type, index);
      const Mismatch mismatch = port().check_sum(*buffer, type, count, pattern);
      EXPECT_EQ(mismatch.wrong, 1u) << name_of(type);
      EXPECT_EQ(mismatch.first_index, index) << name_of(type);
      EXPECT_EQ(mismatch.expected, static_cast<double>(pattern_sum(pattern, index))) << name_of(type);
      EXPECT_NE(mismatch.got, mismatch.expected) << name_of(type);
    }
  }
}

TEST_P(DeviceContract, NamesTheFirstOfSeveralWrongElements) {
  const std::uint64_t count = 100003;
  const CheckPattern pattern = make_check_pattern(DataType::float32, 1, seed);
  const auto buffer = allocate(port(), DataType::float32, count);
  port().fill_contribution(*buffer, DataType::float32, count, pattern, 0);
  for (const std::uint64_t index : {99999ull, 12ull, 50000ull}) plant(port(), *buffer, DataType::float32, index);
  const Mismatch mismatch = port().check_sum(*buffer, DataType::float32, count, pattern);
  EXPECT_EQ(mismatch.wrong, 3u);
  EXPECT_EQ(mismatch.first_index, 12u);
  EXPECT_TRUE(std::isnan(mismatch.got));
}

TEST_P(DeviceContract, WorksOnUnalignedParts) {
  const std::uint64_t count = 4099;
  const CheckPattern pattern = make_check_pattern(DataType::int8, 1, seed);
  const auto buffer = port().allocate(Bytes{count + 1});
  Slice odd(*buffer, 1, count);
  port().fill_contribution(odd, DataType::int8, count, pattern, 0);
  EXPECT_EQ(port().check_sum(odd, DataType::int8, count, pattern).wrong, 0u);
}

TEST_P(DeviceContract, RefusesToWorkPastTheEnd) {
  const CheckPattern pattern = make_check_pattern(DataType::float32, 1, seed);
  const auto buffer = port().allocate(Bytes{400});
  EXPECT_THROW(port().fill_contribution(*buffer, DataType::float32, 101, pattern, 0), Error);
  EXPECT_THROW(port().check_sum(*buffer, DataType::float32, 1ull << 62, pattern), Error);
  EXPECT_THROW(port().fill_bytes(*buffer, 0, Bytes{401}), Error);
}

TEST_P(DeviceContract, TimeMarksEncloseTheWorkBetweenThemAndCanBeSetAgain) {
  const auto buffer = port().allocate(Bytes{8u << 20});
  const auto marks = port().make_time_marks(3);
  for (int round = 0; round < 2; ++round) {
    marks->mark(0);
    port().fill_bytes(*buffer, 0, buffer->size());
    marks->mark(1);
    marks->mark(2);
    int calls = 0;
    const std::vector<double> seconds = marks->intervals({.on_each = [&] { ++calls; }, .while_waiting = {}});
    ASSERT_EQ(seconds.size(), 2u);
    EXPECT_EQ(calls, 2);
    EXPECT_GT(seconds[0], 0.0);
    EXPECT_GE(seconds[1], 0.0);
  }
}

TEST_P(DeviceContract, MarksOutOfRangeAreRefused) { EXPECT_THROW(port().make_time_marks(2)->mark(2), std::exception); }

TEST_P(DeviceContract, ReplaysWhatWasRecordedOrSaysThatItCannot) {
  const std::uint64_t count = 10007;
  const CheckPattern pattern = make_check_pattern(DataType::float32, 1, seed);
  const auto buffer = allocate(port(), DataType::float32, count);
  const auto work = [&] { port().fill_contribution(*buffer, DataType::float32, count, pattern, 0); };
  if (!port().can_record()) {
    EXPECT_THROW(port().record(work), Unavailable);
    return;
  }
  port().fill_bytes(*buffer, poison, buffer->size());
  const auto recording = port().record(work);
  EXPECT_EQ(port().check_sum(*buffer, DataType::float32, count, pattern).wrong, count) << "recording is not running";
  for (int round = 0; round < 2; ++round) {
    port().fill_bytes(*buffer, poison, buffer->size());
    recording->replay();
    EXPECT_EQ(port().check_sum(*buffer, DataType::float32, count, pattern).wrong, 0u);
  }
}

TEST_P(DeviceContract, GoesOnAfterWorkThatThrewWhileItWasRecorded) {
  if (!port().can_record()) return;  // said by the test above
  const auto buffer = port().allocate(Bytes{64});
  EXPECT_THROW(port().record([&] {
    port().fill_bytes(*buffer, 0, buffer->size());
    throw std::runtime_error("from the work");
  }),
               std::runtime_error);
  EXPECT_NO_THROW(port().fill_bytes(*buffer, 0, buffer->size()));
  EXPECT_NO_THROW(port().synchronize());
}

}  // namespace

// A program links all suites and instantiates those that it can.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(DeviceContract);

}  // namespace shakedown::testing
