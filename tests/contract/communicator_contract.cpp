// SPDX-License-Identifier: Apache-2.0
#include "contract/contract.h"
#include "shakedown/base/error.h"

namespace shakedown::testing {
namespace {

/// A buffer pair with known inputs, and what the suite asks of it.
class Payload {
 public:
  Payload(World& world, DataType type, std::uint64_t count)
      : world_(world),
        call_{Collective::all_reduce, ReduceOp::sum, type, count},
        pattern_(make_check_pattern(type, world.session->size(), 99)),
        send_(world.device->allocate(Bytes{count * size_of(type)})),
        receive_(world.device->allocate(Bytes{count * size_of(type)})) {
    fill(*send_);
    world.device->fill_bytes(*receive_, 0xFF, receive_->size());
  }

  void reduce() { world_.communicator->enqueue(call_, send_->data(), receive_->data()); }
  void reduce_in_place() { world_.communicator->enqueue(call_, send_->data(), send_->data()); }
  std::uint64_t wrong_received() { return wrong(*receive_); }
  std::uint64_t wrong_in_place() { return wrong(*send_); }

  /// Another all-reduce of the same inputs is right only if the first one left them alone.
  std::uint64_t wrong_when_repeated() {
    world_.device->fill_bytes(*receive_, 0xFF, receive_->size());
    reduce();
    world_.communicator->wait();
    return wrong_received();
  }

 private:
  void fill(Buffer& buffer) {
    world_.device->fill_contribution(buffer, call_.dtype, call_.count, pattern_, world_.session->rank());
  }
  std::uint64_t wrong(const Buffer& buffer) {
    return world_.device->check_sum(buffer, call_.dtype, call_.count, pattern_).wrong;
  }

  World& world_;
  CollectiveCall call_;
  CheckPattern pattern_;
  std::unique_ptr<Buffer> send_;
  std::unique_ptr<Buffer> receive_;
};

TEST_P(CommunicatorContract, SupportsTheCommonTypes) {
  for (const DataType type : {DataType::int32, DataType::float32, DataType::float64, DataType::bfloat16}) {
    EXPECT_TRUE(port().communicator->supports(type)) << name_of(type);
  }
}

TEST_P(CommunicatorContract, SumsEverySupportedTypeAndKeepsTheInputs) {
  for (const DataType type : all_data_types()) {
    if (!port().communicator->supports(type)) continue;
    for (const std::uint64_t count : {1ull, 1000ull, 100003ull}) {
      Payload payload(port(), type, count);
      payload.reduce();
      port().communicator->wait();
      EXPECT_EQ(payload.wrong_received(), 0u) << name_of(type) << " " << count;
      EXPECT_EQ(payload.wrong_when_repeated(), 0u) << name_of(type) << " " << count;
    }
  }
}

TEST_P(CommunicatorContract, SumsInPlace) {
  for (const DataType type : all_data_types()) {
    if (!port().communicator->supports(type)) continue;
    Payload payload(port(), type, 100003);
    payload.reduce_in_place();
    port().communicator->wait();
    EXPECT_EQ(payload.wrong_in_place(), 0u) << name_of(type);
  }
}

TEST_P(CommunicatorContract, QueuedCallsRunInOrder) {
  Payload first(port(), DataType::float32, 50021);
  Payload second(port(), DataType::float32, 3);
  for (int round = 0; round < 20; ++round) {
    first.reduce();
    second.reduce();
  }
  port().communicator->wait();
  EXPECT_EQ(first.wrong_received(), 0u);
  EXPECT_EQ(second.wrong_received(), 0u);
}

TEST_P(CommunicatorContract, NothingToSumIsFine) {
  Payload payload(port(), DataType::float32, 0);
  payload.reduce();
  EXPECT_NO_THROW(port().communicator->wait());
}

TEST_P(CommunicatorContract, ClosesAndIsGone) {
  EXPECT_NO_THROW(port().communicator->close());
  EXPECT_NO_THROW(port().communicator.reset());
}

TEST_P(CommunicatorContract, GoesWithoutClosing) {
  Payload payload(port(), DataType::float32, 1000);
  payload.reduce();
  port().communicator->wait();
  EXPECT_NO_THROW(port().communicator.reset());
  EXPECT_NO_THROW(port().device->synchronize());
}

}  // namespace

// A program links all suites and instantiates those that it can.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(CommunicatorContract);

}  // namespace shakedown::testing
