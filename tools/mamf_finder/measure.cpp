// SPDX-License-Identifier: Apache-2.0
#include "measure.h"

#include <algorithm>

#include "shakedown/hw/host.h"

namespace shakedown {

std::vector<GemmResult> reusable(const std::vector<GemmResult>& earlier, const GemmKind& kind,
                                 const GemmProtocol& protocol, const EngineInfo& info, const std::string& host) {
  const auto same_device = [&](const GemmResult& row) {
    // Where a chip has no number of its own, the host's name stands for it.
    if (!info.device || !row.device) return !info.device && !row.device && row.host == host;
    return row.device->uuid == info.device->uuid;
  };
  std::vector<GemmResult> rows;
  for (const GemmResult& row : earlier) {
    const bool asked = std::find(protocol.modes.begin(), protocol.modes.end(), row.mode) != protocol.modes.end();
    if (row.status == RowStatus::ok && row.kind == kind && asked && same_device(row)) rows.push_back(row);
  }
  return rows;
}

void measure_kind(EngineSeat& seat, const GemmKind& kind, const AskedShapes& asked, GemmReport& report,
                  const GemmTools& tools) {
  MatrixEngine& engine = seat.engine(kind.type);
  const GemmBench bench{
      .engine = engine, .kind = kind, .peak = peak_of(engine.info(), kind), .report = report, .tools = tools};
  switch (report.protocol.task) {
    case GemmTask::search:
      find_best(bench, known_shapes(engine.info(), kind.type));
      break;
    case GemmTask::shapes:
      measure_shapes(bench, asked.shapes, reusable(asked.earlier, kind, report.protocol, engine.info(), host_name()));
      break;
    case GemmTask::model:
      if (!report.suite) report.suite.emplace();
      report.suite->description = asked.suite_description;
      measure_suite(bench, asked.suite);
      break;
  }
}

}  // namespace shakedown
