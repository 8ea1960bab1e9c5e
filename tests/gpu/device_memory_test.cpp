// SPDX-License-Identifier: Apache-2.0
#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstring>
#include <regex>
#include <vector>

#include "backends/element_codec.h"
#include "contract/cuda_world.h"
#include "contract/slice.h"
#include "shakedown/base/error.h"

namespace shakedown {
namespace {

/// The first GPU, opened through the loader as a tool does.
class GpuTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string why_not = loaded_.reason;
    device_ = testing::open_first_gpu(loaded_.module.get(), why_not);
    if (!device_) GTEST_SKIP() << why_not;
  }
  Loaded<CudaModule> loaded_ = load_cuda_module();
  std::unique_ptr<Device> device_;
};

/// What lies in device memory, read by the runtime alone.
std::vector<std::byte> read_back(const Buffer& buffer) {
  std::vector<std::byte> bytes(buffer.size().count);
  EXPECT_EQ(cudaMemcpy(bytes.data(), buffer.data(), bytes.size(), cudaMemcpyDeviceToHost), cudaSuccess);
  return bytes;
}

/// The elements that the host's codec would have written.
std::vector<std::byte> on_the_host(DataType type, std::uint64_t count, const CheckPattern& pattern,
                                   std::uint32_t rank) {
  std::vector<std::byte> bytes(count * size_of(type));
  with_element(type, [&](auto element) {
    using Element = decltype(element);
    for (std::uint64_t i = 0; i < count; ++i) {
      const auto bits = Element::encode(pattern_contribution(pattern, rank, i));
      std::memcpy(bytes.data() + i * sizeof bits, &bits, sizeof bits);
    }
  });
  return bytes;
}

TEST_F(GpuTest, KernelsWriteEveryTypeBitForBitAsTheHostDoes) {
  const std::uint64_t count = 100003;
  for (const DataType type : all_data_types()) {
    for (const int ranks : {1, 3, 1024}) {
      const CheckPattern pattern = make_check_pattern(type, ranks, 5);
      const int rank = ranks / 2;
      const auto buffer = device_->allocate(Bytes{count * size_of(type)});
      device_->fill_contribution(*buffer, type, count, pattern, rank);
      device_->synchronize();
      EXPECT_EQ(read_back(*buffer), on_the_host(type, count, pattern, static_cast<std::uint32_t>(rank)))
          << name_of(type) << ", " << ranks << " ranks";
    }
  }
}

TEST_F(GpuTest, FillBytesWritesTheByte) {
  const auto buffer = device_->allocate(Bytes{1000});
  device_->fill_bytes(*buffer, 0xA5, buffer->size());
  device_->synchronize();
  EXPECT_EQ(read_back(*buffer), std::vector<std::byte>(1000, std::byte{0xA5}));
}

TEST_F(GpuTest, CountsBeyond32BitsAreFilledAndCheckedToTheLastElement) {
  constexpr std::uint64_t two_to_31 = std::uint64_t{1} << 31;
  const std::uint64_t count = 2 * two_to_31 + 12345;
  if (device_->free_memory().count < count) GTEST_SKIP() << "the GPU has less than 4 GiB free";
  const CheckPattern pattern = make_check_pattern(DataType::int8, 1, 5);
  const auto buffer = device_->allocate(Bytes{count});
  device_->fill_bytes(*buffer, 0x80, buffer->size());
  device_->fill_contribution(*buffer, DataType::int8, count, pattern, 0);
  EXPECT_EQ(device_->check_sum(*buffer, DataType::int8, count, pattern).wrong, 0u);
  for (const std::uint64_t index : {two_to_31 + 1, 2 * two_to_31 + 3, count - 1}) {
    device_->fill_contribution(*buffer, DataType::int8, count, pattern, 0);
    testing::Slice element(*buffer, index, 1);
    device_->fill_bytes(element, 0x80, Bytes{1});  // -128 is never right: sums stay within 127
    const Mismatch mismatch = device_->check_sum(*buffer, DataType::int8, count, pattern);
    EXPECT_EQ(mismatch.wrong, 1u);
    EXPECT_EQ(mismatch.first_index, index);
    EXPECT_EQ(mismatch.got, -128.0);
    EXPECT_EQ(mismatch.expected, static_cast<double>(pattern_sum(pattern, index)));
  }
  device_->fill_bytes(*buffer, 0x80, buffer->size());
  EXPECT_EQ(device_->check_sum(*buffer, DataType::int8, count, pattern).wrong, count);
}

TEST_F(GpuTest, SaysWhichGpuItIs) {
  const DeviceInfo& info = device_->info();
  EXPECT_EQ(info.index, 0);
  EXPECT_TRUE(std::regex_match(info.uuid, std::regex("GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"))) << info.uuid;
  char pci[32] = "";
  ASSERT_EQ(cudaDeviceGetPCIBusId(pci, sizeof pci, 0), cudaSuccess);
  std::string lower = pci;
  for (char& c : lower) c = static_cast<char>(std::tolower(c));
  EXPECT_EQ(info.pci, lower);
}

TEST_F(GpuTest, AnIndexBeyondTheLastGpuIsUnavailable) {
  std::string reason;
  EXPECT_THROW(loaded_.module->open_device(loaded_.module->device_count(reason)), Unavailable);
  EXPECT_THROW(loaded_.module->open_device(-1), Unavailable);
}

TEST_F(GpuTest, KnowsTheDriverAndTheRuntime) {
  NamedValues versions = loaded_.module->versions();
  for (const char* name : {"driver", "cuda_driver", "cuda_runtime", "nccl", "nccl_path"}) {
    const auto found = std::find_if(versions.begin(), versions.end(), [&](const auto& v) { return v.first == name; });
    ASSERT_NE(found, versions.end()) << name;
    EXPECT_FALSE(found->second.empty()) << name;
  }
}

}  // namespace
}  // namespace shakedown
