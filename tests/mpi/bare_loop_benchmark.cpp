// SPDX-License-Identifier: Apache-2.0
// Our blocking loop beside a bare MPI_Allreduce loop: same process, same session, same buffers, alternating pairs.
// Prints the ratio of the medians, and the bare loop against itself. A benchmark for people, not a test: timings are
// noisy.
#include <fmt/format.h>
#include <mpi.h>

#include <chrono>
#include <cstdlib>
#include <vector>

#include "bench/timed_loop.h"
#include "shakedown/backends/module.h"
#include "shakedown/math/statistics.h"

namespace shakedown {
namespace {

constexpr int pairs = 20;
constexpr int samples = 100;

/// Median over samples of the maximum over ranks, seconds a call.
double judged(Session& session, const std::vector<double>& mine) { return median_of(session.max(mine)); }

double bare(Session& session, const Buffer& send, const Buffer& receive, int count) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> mine;
  mine.reserve(samples);
  for (int i = 0; i < samples; ++i) {
    MPI_Barrier(MPI_COMM_WORLD);
    const auto start = Clock::now();
    MPI_Allreduce(send.data(), receive.data(), count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
    mine.push_back(std::chrono::duration<double>(Clock::now() - start).count());
  }
  return judged(session, mine);
}

double ours(Session& session, Device& device, Communicator& communicator, StageBoard& board, const Buffer& send,
            const Buffer& receive, std::uint64_t count) {
  const CollectiveCall call{
      .kind = Collective::all_reduce, .op = ReduceOp::sum, .dtype = DataType::float32, .count = count};
  const TimedCall timed{.session = session,
                        .device = device,
                        .board = board,
                        .call = [&] { communicator.enqueue(call, send.data(), receive.data()); },
                        .poll = [&] { communicator.poll(); },
                        .before_call = {}};
  return judged(session, take_samples(timed, Timing::blocking, samples, 1));
}

void compare(Session& session, Device& device, Communicator& communicator, StageBoard& board, std::uint64_t bytes) {
  const auto send = device.allocate(Bytes{bytes});
  const auto receive = device.allocate(Bytes{bytes});
  device.fill_bytes(*send, 0, Bytes{bytes});
  const auto count = bytes / sizeof(float);
  std::vector<double> ratios, same, mine, theirs;
  bare(session, *send, *receive, static_cast<int>(count));
  for (int pair = 0; pair < pairs; ++pair) {
    const double first = bare(session, *send, *receive, static_cast<int>(count));
    const double tool = ours(session, device, communicator, board, *send, *receive, count);
    const double again = bare(session, *send, *receive, static_cast<int>(count));
    ratios.push_back(tool / ((first + again) / 2));
    same.push_back(again / first);
    mine.push_back(tool);
    theirs.push_back(first);
  }
  if (session.rank() != 0) return;
  fmt::print("| {} | {:.2f} | {:.2f} | {:.3f} | {:.3f} | {:.3f} to {:.3f} |\n", bytes, median_of(theirs) * 1e6,
             median_of(mine) * 1e6, median_of(ratios), median_of(same), summarize(same).min, summarize(same).max);
}

}  // namespace
}  // namespace shakedown

int main() {
  using namespace shakedown;
  StageBoard board{Seconds{0}};
  const auto loaded = load_mpi_module();
  if (!loaded.module) return EXIT_FAILURE;
  const auto session = loaded.module->open_session(board);
  const auto device = make_cpu_device(session->local_size());
  const auto communicator = loaded.module->make_communicator(*session);
  if (session->rank() == 0) {
    fmt::print("{} ranks, {} pairs of {} calls, blocking; time is the median of the maximum over ranks\n",
               session->size(), pairs, samples);
    fmt::print(
        "| bytes | bare us | ours us | ours/bare | bare/bare | bare/bare range |\n| --: | --: | --: | --: | --: | --: "
        "|\n");
  }
  for (const std::uint64_t bytes : {1ull << 10, 64ull << 10, 1ull << 20, 16ull << 20})
    compare(*session, *device, *communicator, board, bytes);
  communicator->close();
  session->close();
}
