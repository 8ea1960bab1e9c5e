// SPDX-License-Identifier: Apache-2.0
#include "shakedown/bench/collective_sweep.h"

#include <gtest/gtest.h>

#include <cmath>
#include <mutex>

#include "shakedown/backends/module.h"
#include "shakedown/comm/agreement.h"
#include "support/scripted_device.h"
#include "support/thread_ranks.h"

namespace shakedown {
namespace {

CollectiveReport report_for(int ranks, std::vector<Bytes> sizes) {
  CollectiveReport report;
  report.protocol.sizes = std::move(sizes);
  report.protocol.iterations = 4;
  report.protocol.warmups = 1;
  for (int rank = 0; rank < ranks; ++rank)
    report.context.ranks.push_back(
        {.rank = rank, .local_rank = rank, .host = "node-a", .pid = 100 + rank, .device = std::nullopt});
  return report;
}

/// Every rank's report, after a sweep over thread ranks; rank r's calls take script[r] seconds.
std::vector<CollectiveReport> sweep(FakeWorld& world, int ranks, const CollectiveReport& start,
                                    const std::vector<double>& seconds, Bytes cache = {}) {
  std::vector<CollectiveReport> reports(static_cast<std::size_t>(ranks), start);
  world.run([&](Session& session, Communicator& communicator) {
    const auto memory = make_cpu_device(ranks);
    const auto rank = static_cast<std::size_t>(session.rank());
    ScriptedDevice device(*memory, {seconds[rank]});
    device.cache = cache;
    StageBoard board{Seconds{60}};
    SilentProgress progress;
    run_collective_sweep({.session = session,
                          .device = device,
                          .communicator = communicator,
                          .board = board,
                          .progress = progress,
                          .before_call = {}},
                         reports[rank], [](const CollectiveReport&) {});
  });
  return reports;
}

TEST(CollectiveSweep, ASampleIsTheMaximumOverRanksAndEveryRankHasTheSameRow) {
  FakeWorld world(3);
  const auto reports = sweep(world, 3, report_for(3, {Bytes{4096}}), {1e-3, 2e-3, 4e-3});
  for (const CollectiveReport& report : reports) {
    ASSERT_EQ(report.rows.size(), 1u);
    const CollectiveRow& row = report.rows[0];
    EXPECT_EQ(row.status, RowStatus::ok);
    EXPECT_EQ(row.count, 1024u);
    EXPECT_DOUBLE_EQ(row.time_s.median, 4e-3);
    EXPECT_DOUBLE_EQ(row.algbw.value, 4096 / 4e-3);
    EXPECT_DOUBLE_EQ(row.busbw->value, 4096 / 4e-3 * 4 / 3);
    EXPECT_EQ(row.per_rank_s, (std::vector<double>{1e-3, 2e-3, 4e-3}));
    EXPECT_EQ(row.wrong, 0u);
    EXPECT_FALSE(row.straggler) << "pipelined timing can't tell who was late";
  }
}

TEST(CollectiveSweep, BlockingTimingNamesTheRankThatTheOthersWaitedFor) {
  FakeWorld world(3);
  CollectiveReport start = report_for(3, {Bytes{4096}});
  start.protocol.timing = Timing::blocking;
  const auto reports = sweep(world, 3, start, {3e-3, 1e-3, 3e-3});
  ASSERT_TRUE(reports[0].rows[0].straggler);
  EXPECT_EQ(reports[0].rows[0].straggler->rank, 1);
  EXPECT_EQ(reports[0].rows[0].straggler->host, "node-a");
  EXPECT_NEAR(reports[0].rows[0].straggler->lead_s, 2e-3, 1e-12);
}

TEST(CollectiveSweep, OneRankHasNoBusBandwidth) {
  FakeWorld world(1);
  const auto reports = sweep(world, 1, report_for(1, {Bytes{1024}}), {1e-3});
  EXPECT_FALSE(reports[0].rows[0].busbw);
  EXPECT_EQ(reports[0].rows[0].wrong, 0u);
}

TEST(CollectiveSweep, AWrongLastElementIsNamedAndTheSweepIsFinished) {
  FakeWorld world(2);
  world.spoil = [](int rank, float* result, std::size_t count) {
    if (rank == 1 && count == 512) result[count - 1] += 1;
  };
  const auto reports = sweep(world, 2, report_for(2, {Bytes{1024}, Bytes{2048}, Bytes{4096}}), {1e-3, 1e-3});
  ASSERT_EQ(reports[0].rows.size(), 3u);
  const CollectiveRow& row = reports[0].rows[1];
  EXPECT_EQ(row.status, RowStatus::failed);
  ASSERT_TRUE(row.first_wrong);
  EXPECT_EQ(row.first_wrong->rank, 1);
  EXPECT_EQ(row.first_wrong->index, 511u);
  EXPECT_DOUBLE_EQ(row.first_wrong->got, row.first_wrong->expected + 1);
  EXPECT_EQ(row.wrong, 2u) << "after the warm-up and after the timed calls";
  EXPECT_EQ(reports[0].rows[0].status, RowStatus::ok);
  EXPECT_EQ(reports[0].rows[2].status, RowStatus::ok);
  EXPECT_EQ(reports[0].summary().wrong, 2u);
}

TEST(CollectiveSweep, AnElementThatNoCallWroteIsWrong) {
  FakeWorld world(2);
  world.spoil = [](int, float* result, std::size_t) { result[7] = std::nanf(""); };
  const auto reports = sweep(world, 2, report_for(2, {Bytes{1024}}), {1e-3, 1e-3});
  EXPECT_EQ(reports[0].rows[0].first_wrong->index, 7u);
}

TEST(CollectiveSweep, CallsRotateThroughTwiceTheCacheAndEveryPlaceIsChecked) {
  FakeWorld world(2);
  int calls = 0;
  world.spoil = [&](int rank, float* result, std::size_t) {
    if (rank != 0) return;
    if (++calls == 4) result[1] += 1;  // one warm-up, then the third of four timed calls, at the third place
  };
  const auto reports = sweep(world, 2, report_for(2, {Bytes{1024}}), {1e-3, 1e-3}, Bytes{1536});
  const CollectiveRow& row = reports[0].rows[0];
  EXPECT_EQ(row.places, 3u);
  EXPECT_EQ(row.wrong, 1u);
  EXPECT_EQ(row.first_wrong->index, 1u) << "of the payload";
}

TEST(CollectiveSweep, PayloadsThatWouldLoseTheirAlignmentStayAtOnePlace) {
  FakeWorld world(1);
  const auto reports = sweep(world, 1, report_for(1, {Bytes{1028}}), {1e-3}, Bytes{1u << 20});
  EXPECT_EQ(reports[0].rows[0].places, 1u);
}

TEST(CollectiveSweep, MemoryHoldsTheRotationToo) {
  CollectiveProtocol protocol;
  protocol.sizes = {Bytes{1024}};
  EXPECT_EQ(sweep_memory(protocol, {}), Bytes{2048});
  EXPECT_EQ(sweep_memory(protocol, Bytes{1u << 20}), Bytes{4u << 20});
  protocol.in_place = true;
  EXPECT_EQ(sweep_memory(protocol, Bytes{1u << 20}), Bytes{2u << 20});
}

TEST(CollectiveSweep, InPlaceValuesStayFiniteHoweverManyIterationsRun) {
  FakeWorld world(4);
  float largest = 0;
  std::mutex mutex;
  world.spoil = [&](int, float* result, std::size_t count) {
    const std::lock_guard lock(mutex);
    for (std::size_t i = 0; i < count; ++i)
      largest = std::max(largest, std::isfinite(result[i]) ? std::abs(result[i]) : INFINITY);
  };
  CollectiveReport start = report_for(4, {Bytes{64}});
  start.protocol.in_place = true;
  start.protocol.iterations = 300;  // 4^300 would have overflowed long ago
  const auto reports = sweep(world, 4, start, {1e-3, 1e-3, 1e-3, 1e-3});
  EXPECT_LE(largest, 1 << 24);
  EXPECT_GT(largest, 0);
  EXPECT_EQ(reports[0].rows[0].wrong, 0u);
}

TEST(CollectiveSweep, APayloadBelowOneElementIsSkippedWithTheReason) {
  FakeWorld world(1);
  const auto reports = sweep(world, 1, report_for(1, {Bytes{3}, Bytes{6}}), {1e-3});
  EXPECT_EQ(reports[0].rows[0].status, RowStatus::skipped);
  EXPECT_NE(reports[0].rows[0].reason.find("float32"), std::string::npos);
  EXPECT_EQ(reports[0].rows[1].bytes, Bytes{4});
  EXPECT_EQ(reports[0].rows[1].bytes_requested, Bytes{6});
}

TEST(CollectiveSweep, UncheckedIsNotRight) {
  FakeWorld world(2);
  CollectiveReport start = report_for(2, {Bytes{1024}});
  start.protocol.check = false;
  const auto reports = sweep(world, 2, start, {1e-3, 1e-3});
  EXPECT_FALSE(reports[0].rows[0].checked);
  EXPECT_FALSE(reports[0].rows[0].wrong);
}

TEST(CollectiveSweep, AFailedCallAbortsTheCommunicatorWhileTheBuffersLive) {
  FakeWorld world(1);
  int calls = 0;
  world.spoil = [&](int, float*, std::size_t) {
    if (++calls == 3) throw Error("all-reduce: the peer is lost");
  };
  EXPECT_THROW(sweep(world, 1, report_for(1, {Bytes{1024}}), {1e-3}), Error);
  EXPECT_EQ(world.aborts(), 1);
}

TEST(CollectiveSweep, OneRankThatCannotAllocateIsTheFailureOfAll) {
  FakeWorld world(2);
  CollectiveReport start = report_for(2, {Bytes{1ull << 60}});
  EXPECT_THROW(sweep(world, 2, start, {1e-3, 1e-3}), AgreedError);
}

TEST(Agreement, TellsTheFirstRankThatFailedAndHowManyMore) {
  FakeWorld world(4);
  std::vector<std::string> texts(4);
  world.run([&](Session& session, Communicator&) {
    try {
      agree(session, "rank " + std::to_string(session.rank()), [&] {
        if (session.rank() % 2 == 1) throw UsageError("too large");
      });
    } catch (const AgreedError& error) {
      texts[static_cast<std::size_t>(session.rank())] = error.what();
      EXPECT_EQ(error.exit_code(), ExitCode::usage);
    }
  });
  for (const std::string& text : texts) EXPECT_EQ(text, "rank 1: too large (and 1 other rank failed)");
}

}  // namespace
}  // namespace shakedown
