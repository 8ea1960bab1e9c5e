// SPDX-License-Identifier: Apache-2.0
#include "comparison_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <barrier>
#include <exception>
#include <future>

#include "compare.h"
#include "messages.h"

namespace shakedown {
namespace {

std::string progress_line(const CompareTarget& target, const char* how, std::size_t devices) {
  return fmt::format("{}: {} at {} on {} devices, {}", describe(target.kind), name_of(target.mode),
                     format_shape(target.shape), devices, how);
}

/// A failed device is a row; the others make the spread.
void add_spread(GemmReport& report, const CompareTarget& target, bool together, const std::vector<GemmResult>& rows,
                const std::vector<DeviceReading>& readings) {
  std::vector<DeviceReading> measured;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].status == RowStatus::ok)
      measured.push_back(readings[i]);
    else {
      report.results.push_back(rows[i]);
      report.results.back().remark = comparison_remark;
    }
  }
  report.spreads.push_back(spread_of(target, together, std::move(measured)));
}

/// Opening takes a second, which must not pass while others measure already.
void open_early(EngineSeat& seat, GemmType type) {
  try {
    seat.engine(type);
  } catch (const std::exception&) {
    seat.release();  // measuring meets it again, and tells it
  }
}

/// The entry of a device that did not search itself.
void add_best(GemmReport& report, const GemmResult& row) {
  if (row.status != RowStatus::ok || !row.device) return;
  const auto same = [&](const BestGemm& best) {
    return best.kind == row.kind && best.device && best.device->uuid == row.device->uuid;
  };
  auto found = std::find_if(report.best.begin(), report.best.end(), same);
  if (found == report.best.end()) {
    BestGemm entry;
    entry.kind = row.kind;
    entry.device = row.device;
    entry.host = row.host;
    for (const BestGemm& best : report.best)
      if (best.kind == row.kind) entry.peak = best.peak;
    report.best.push_back(entry);
    found = report.best.end() - 1;
  }
  if (!found->peak.estimated && found->peak.is_exceeded_by(row.rate.median, row.clock_mhz)) return;
  auto& place = row.mode == GemmMode::burst       ? found->burst
                : row.mode == GemmMode::sustained ? found->sustained
                                                  : found->mamf_v2;
  if (!place) place = row;
}

}  // namespace

void compare_devices(const ComparisonRun& run, const std::vector<std::unique_ptr<DeviceThread>>& threads) {
  for (const CompareTarget& target : targets_of(run.report))
    for (const bool together : {false, true}) {
      run.progress.update(progress_line(target, together ? "all at once" : "one after the other", threads.size()));
      std::vector<GemmResult> rows(threads.size());
      std::barrier begin(static_cast<std::ptrdiff_t>(threads.size()));
      std::vector<std::future<void>> running;
      running.reserve(threads.size());
      for (std::size_t i = 0; i < threads.size(); ++i) {
        running.push_back(threads[i]->start([&, i](EngineSeat& seat) {
          if (together) begin.arrive_and_wait();
          rows[i] = measure_target(seat, target, run.report.protocol, run.tools);
        }));
        if (!together) running.back().wait();
      }
      for (std::future<void>& done : running) done.wait();
      for (std::future<void>& done : running) done.get();
      std::vector<DeviceReading> readings;
      readings.reserve(rows.size());
      for (const GemmResult& row : rows) readings.push_back(reading_of(row, 0, ""));
      add_spread(run.report, target, together, rows, readings);
      if (!together)
        for (const GemmResult& row : rows) add_best(run.report, row);
    }
}

void compare_ranks(const ComparisonRun& run, Session& session, DeviceThread& thread, const std::string& chip) {
  // Ranks may share a device, and the search has taken most of its memory.
  thread.run([](EngineSeat& seat) { seat.release(); });
  for (const CompareTarget& target : unpack_targets(session.broadcast(pack(targets_of(run.report))))) {
    run.progress.update(progress_line(target, "all ranks at once", static_cast<std::size_t>(session.size())));
    thread.run([&](EngineSeat& seat) { open_early(seat, target.kind.type); });
    session.barrier();
    GemmResult mine;
    thread.run([&](EngineSeat& seat) { mine = measure_target(seat, target, run.report.protocol, run.tools); });
    std::vector<GemmResult> rows;
    std::vector<DeviceReading> readings;
    for (const std::string& text : session.all_gather(pack(mine, chip))) {
      RemoteResult remote = unpack_result(text);
      remote.result.kind = target.kind;
      remote.result.mode = target.mode;
      remote.result.shape = target.shape;
      readings.push_back(reading_of(remote.result, static_cast<int>(rows.size()), remote.chip));
      rows.push_back(std::move(remote.result));
    }
    if (session.rank() == 0) add_spread(run.report, target, true, rows, readings);
  }
}

}  // namespace shakedown
