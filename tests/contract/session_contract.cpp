// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <vector>

#include "contract/contract.h"

namespace shakedown::testing {
namespace {

/// A text that differs between ranks in length and holds bytes that C strings cannot.
std::string text_of(int rank) {
  return "rank " + std::to_string(rank) + std::string("\0\n", 2) + std::string(static_cast<std::size_t>(rank), 'x');
}

TEST_P(SessionContract, EveryRankHasAPlace) {
  EXPECT_GE(port().rank(), 0);
  EXPECT_LT(port().rank(), port().size());
  EXPECT_GE(port().local_rank(), 0);
  EXPECT_LT(port().local_rank(), port().local_size());
  EXPECT_LE(port().local_size(), port().size());
}

TEST_P(SessionContract, BroadcastGivesRankZerosText) {
  EXPECT_EQ(port().broadcast(text_of(port().rank())), text_of(0));
  EXPECT_EQ(port().broadcast(port().rank() == 0 ? "" : "not mine"), "");
  const std::string large(1u << 20, 'z');
  EXPECT_EQ(port().broadcast(port().rank() == 0 ? large : ""), large);
}

TEST_P(SessionContract, AllGatherKeepsRankOrderAndEveryByte) {
  const std::vector<std::string> texts = port().all_gather(text_of(port().rank()));
  ASSERT_EQ(texts.size(), static_cast<std::size_t>(port().size()));
  for (int rank = 0; rank < port().size(); ++rank) EXPECT_EQ(texts[static_cast<std::size_t>(rank)], text_of(rank));
  EXPECT_EQ(port().all_gather(std::string()), std::vector<std::string>(texts.size()));
}

TEST_P(SessionContract, AllGatherJoinsNumbersInRankOrder) {
  const double rank = port().rank();
  const std::vector<double> values = port().all_gather(std::vector<double>{rank, rank + 0.5});
  ASSERT_EQ(values.size(), 2 * static_cast<std::size_t>(port().size()));
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], static_cast<double>(i) / 2);
}

TEST_P(SessionContract, MaxIsTakenElementByElement) {
  const double rank = port().rank();
  const double last = port().size() - 1;
  EXPECT_EQ(port().max(std::vector<double>{rank, -rank, 2.5}), (std::vector<double>{last, 0.0, 2.5}));
}

TEST_P(SessionContract, AnyHearsASingleRank) {
  EXPECT_FALSE(port().any(false));
  for (int rank = 0; rank < port().size(); ++rank) EXPECT_TRUE(port().any(port().rank() == rank));
}

TEST_P(SessionContract, BarrierReturnsOnceAllAreThere) {
  for (int round = 0; round < 3; ++round) port().barrier();
}

}  // namespace

// A program links all suites and instantiates those that it can.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(SessionContract);

}  // namespace shakedown::testing
