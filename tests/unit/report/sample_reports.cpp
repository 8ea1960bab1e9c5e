// SPDX-License-Identifier: Apache-2.0
#include "unit/report/sample_reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "shakedown/math/bandwidth.h"
#include "shakedown/math/statistics.h"

namespace shakedown::samples {
namespace {

constexpr std::uint64_t kib = 1024, mib = 1024 * kib, gib = 1024 * mib;

RankInfo cpu_rank(int rank, const std::string& host) { return {rank, rank, host, 4000 + rank, std::nullopt}; }

RankInfo gpu_rank(int rank, const std::string& host) {
  const int index = rank % 8;
  return {rank, index, host, 4000 + rank,
          DeviceInfo{index, "NVIDIA H200", fmt::format("GPU-{:08}", rank),
                     fmt::format("0000:{:02x}:00.0", 0x1b + index), Bytes{141 * gib}}};
}

CollectiveReport complete_run() {
  CollectiveReport report;
  report.header.tool = "all_reduce_bench";
  report.header.tool_version = "0.1.0";
  report.header.complete = true;
  report.header.started_at = "2026-11-30T12:00:00Z";
  report.header.duration = Seconds{12.34};
  report.header.command = {"all_reduce_bench", "--min-bytes", "32K"};
  report.context.backend = "cpu";
  report.context.backend_reason = "auto: no NVIDIA driver";
  report.context.versions = {{"mpi", "Open MPI 4.1.4"}};
  report.checks = {{"data", CheckStatus::pass, "every element of 3 payloads was right"}};
  return report;
}

}  // namespace

CollectiveRow row(Bytes bytes, int ranks, const std::vector<double>& samples) {
  const Summary summary = summarize(samples);
  CollectiveRow row;
  row.bytes = row.bytes_requested = bytes;
  row.count = bytes.count / 4;
  row.iterations = samples.size();
  row.time_s = {summary.min, summary.median, summary.mean, summary.max, summary.p99, summary.samples};
  row.samples_s = samples;
  row.per_rank_s.assign(static_cast<std::size_t>(ranks), summary.mean);
  row.algbw = algorithm_bandwidth(bytes, Seconds{summary.median});
  row.busbw = all_reduce_bus_bandwidth(row.algbw, ranks);
  row.checked = true;
  row.wrong = 0;
  return row;
}

CollectiveReport two_ranks() {
  CollectiveReport report = complete_run();
  report.context.ranks = {cpu_rank(0, "node-a"), cpu_rank(1, "node-a")};
  report.protocol.sizes = {Bytes{32 * kib}, Bytes{4 * mib}, Bytes{gib}};
  report.rows = {row(Bytes{32 * kib}, 2, {20e-6, 22e-6, 21e-6}), row(Bytes{4 * mib}, 2, {0.8e-3, 0.81e-3, 0.79e-3}),
                 row(Bytes{gib}, 2, {0.25, 0.2501, 0.2499})};
  return report;
}

CollectiveReport one_rank() {
  CollectiveReport report = complete_run();
  report.context.backend = "cuda";
  report.context.backend_reason = "auto: 1 GPU";
  report.context.versions = {
      {"driver", "580.95.05"}, {"nccl", "2.28.3"}, {"nccl_path", "/usr/lib/x86_64-linux-gnu/libnccl.so.2"}};
  report.context.ranks = {gpu_rank(0, "node-a")};
  report.protocol.dtype = DataType::bfloat16;
  report.protocol.in_place = true;
  report.protocol.timing = Timing::graph;
  report.protocol.warmups = 1;
  report.protocol.iterations = 1;
  report.protocol.check = false;
  report.rows = {row(Bytes{32 * kib}, 1, {7.2e-6}), row(Bytes{gib}, 1, {505.4e-6})};
  for (CollectiveRow& each : report.rows) {
    each.checked = false;
    each.wrong.reset();
  }
  report.rows[0].batch = 64;
  report.protocol.sizes = {Bytes{32 * kib}, Bytes{gib}};
  report.checks = {{"data", CheckStatus::unknown, "the data were not checked (--no-check)"}};
  return report;
}

CollectiveReport straggler() {
  CollectiveReport report = complete_run();
  report.context.backend = "cuda";
  report.context.backend_reason = "auto: 16 GPUs";
  report.context.versions = {{"driver", "580.95.05"}, {"nccl", "2.28.3"}};
  report.context.environment = {{"NCCL_DEBUG", "WARN"}, {"NCCL_SOCKET_IFNAME", "eth0"}};
  report.context.notices = {
      "NCCL_IB_HCA differs: mlx5_0 on 8 ranks (node-a), not set on 8 ranks (node-b); unset it or set it alike on every "
      "host"};
  for (int rank = 0; rank < 16; ++rank) report.context.ranks.push_back(gpu_rank(rank, rank < 8 ? "node-a" : "node-b"));
  report.header.notes = "after the switch was replaced";
  report.protocol.timing = Timing::blocking;
  report.protocol.sizes = {Bytes{gib}, Bytes{16 * gib}};
  report.rows = {row(Bytes{gib}, 16, {5.1e-3, 5.0e-3, 5.2e-3}), row(Bytes{16 * gib}, 16, {82e-3, 81e-3, 140e-3})};
  report.rows[1].straggler = Straggler{3, "node-b", 1.9e-3};
  report.checks = {{"data", CheckStatus::pass, "fine"},
                   {"min_busbw", CheckStatus::fail, "busbw 392.83 GB/s at 16 GiB is below the 400 GB/s asked for"},
                   {"expected", CheckStatus::unknown, "no rating of the links is known"}};
  return report;
}

CollectiveReport wrong_data() {
  CollectiveReport report = two_ranks();
  report.rows[1].wrong = 12;
  report.rows[1].status = RowStatus::failed;
  report.rows[1].reason = "12 wrong elements";
  report.rows[1].first_wrong = WrongElement{1, "node-a", 1048575, 0, -21, "after the timed calls"};
  report.checks = {{"data", CheckStatus::fail, "12 wrong elements in 1 of 3 payloads"}};
  return report;
}

CollectiveReport odd_rows() {
  CollectiveReport report = two_ranks();
  report.rows[0].bytes_requested = Bytes{32 * kib + 3};
  CollectiveRow unaligned = row(Bytes{37748744}, 2, {9e-3, 9.1e-3});
  CollectiveRow skipped;
  skipped.bytes = skipped.bytes_requested = Bytes{64 * gib};
  skipped.status = RowStatus::skipped;
  skipped.reason = "does not fit: needs 2 x 64 GiB or more a rank, and 12 GiB are free on node-a";
  CollectiveRow larger = skipped;
  larger.bytes = larger.bytes_requested = Bytes{128 * gib};
  CollectiveRow failed;
  failed.bytes = failed.bytes_requested = Bytes{256 * gib};
  failed.status = RowStatus::failed;
  failed.reason = "the transport gave up";
  report.rows.insert(report.rows.end(), {unaligned, skipped, larger, failed});
  report.rows[2].checked = false;
  report.rows[2].wrong.reset();
  return report;
}

CollectiveReport interrupted() {
  CollectiveReport report = two_ranks();
  report.header.complete = false;
  report.rows.clear();
  report.checks.clear();
  report.ended_early = "stopped by SIGINT";
  return report;
}

CollectiveReport profile() {
  CollectiveReport report = two_ranks();
  report.profile = true;
  report.protocol.sizes = {Bytes{gib}};
  report.rows = {row(Bytes{gib}, 2, {0.25, 0.25, 0.26, 0.25, 0.5, 0.25, 0.24, 0.25})};
  return report;
}

}  // namespace shakedown::samples
