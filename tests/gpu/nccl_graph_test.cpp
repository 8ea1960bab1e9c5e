// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "contract/cuda_world.h"
#include "shakedown/base/error.h"

namespace shakedown::testing {
namespace {

/// One rank with NCCL on the first GPU.
class NcclTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why_not;
    world_ = open_gpu_world(why_not);
    if (!world_) GTEST_SKIP() << why_not;
  }
  std::unique_ptr<World> world_;
};

TEST_F(NcclTest, AllReducesReplayFromAGraph) {
  const std::uint64_t count = 1u << 20;
  const CheckPattern pattern = make_check_pattern(DataType::float32, 1, 3);
  Device& device = *world_->device;
  const auto send = device.allocate(Bytes{count * sizeof(float)});
  const auto receive = device.allocate(Bytes{count * sizeof(float)});
  device.fill_contribution(*send, DataType::float32, count, pattern, 0);
  const CollectiveCall call{Collective::all_reduce, ReduceOp::sum, DataType::float32, count};
  const auto work = [&] {
    for (int i = 0; i < 10; ++i) world_->communicator->enqueue(call, send->data(), receive->data());
  };
  auto recording = device.record(work);
  for (int round = 0; round < 3; ++round) {
    device.fill_bytes(*receive, 0xFF, receive->size());
    recording->replay();
    world_->communicator->wait();
    EXPECT_EQ(device.check_sum(*receive, DataType::float32, count, pattern).wrong, 0u);
  }
  recording.reset();  // NCCL's close waits for graphs that hold its calls
  EXPECT_NO_THROW(world_->communicator->close());
}

TEST_F(NcclTest, CountsBeyond31BitsAreSummed) {
  const std::uint64_t count = (1ull << 31) + 17;
  if (world_->device->free_memory().count < 2 * count) GTEST_SKIP() << "the GPU has less than 4 GiB free";
  const CheckPattern pattern = make_check_pattern(DataType::int8, 1, 3);
  const auto send = world_->device->allocate(Bytes{count});
  const auto receive = world_->device->allocate(Bytes{count});
  world_->device->fill_contribution(*send, DataType::int8, count, pattern, 0);
  world_->device->fill_bytes(*receive, 0x80, receive->size());
  world_->communicator->enqueue({Collective::all_reduce, ReduceOp::sum, DataType::int8, count}, send->data(),
                                receive->data());
  world_->communicator->wait();
  EXPECT_EQ(world_->device->check_sum(*receive, DataType::int8, count, pattern).wrong, 0u);
}

TEST_F(NcclTest, SeveralCommunicatorsFollowEachOther) {
  const Loaded<CudaModule> loaded = load_cuda_module();
  world_->communicator->close();
  for (int round = 0; round < 2; ++round) {
    world_->communicator.reset();
    world_->communicator = loaded.module->make_communicator(*world_->session, *world_->device, world_->board);
  }
  EXPECT_EQ(world_->board.view().limit.count(), 60.0) << "the watchdog has its own limit back";
}

}  // namespace
}  // namespace shakedown::testing
