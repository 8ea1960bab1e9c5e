// SPDX-License-Identifier: Apache-2.0
#include "report/json_parts.h"

namespace shakedown {

Json nullable(const std::string& text) { return text.empty() ? Json() : Json(text); }

Json object_of(const NamedValues& values) {
  Json object = Json::object();
  for (const auto& [name, value] : values) object[name] = value;
  return object;
}

Json device_of(const std::optional<DeviceInfo>& device) {
  if (!device) return {};
  return {{"index", device->index},
          {"name", device->name},
          {"uuid", nullable(device->uuid)},
          {"pci", nullable(device->pci)},
          {"memory_bytes", device->memory.count}};
}

Json context_of(const RunContext& context) {
  Json ranks = Json::array();
  for (const RankInfo& rank : context.ranks) {
    ranks.push_back({{"rank", rank.rank},
                     {"local_rank", rank.local_rank},
                     {"host", rank.host},
                     {"pid", rank.pid},
                     {"device", device_of(rank.device)}});
  }
  return {{"backend", context.backend},
          {"backend_reason", context.backend_reason},
          {"ranks", std::move(ranks)},
          {"versions", object_of(context.versions)},
          {"environment", object_of(context.environment)},
          {"notices", context.notices}};
}

Json time_of(const TimeStatistics& time) {
  if (time.samples == 0) {
    return {{"min", nullptr}, {"median", nullptr}, {"mean", nullptr},
            {"max", nullptr}, {"p99", nullptr},    {"samples", 0}};
  }
  return {{"min", time.min}, {"median", time.median},     {"mean", time.mean},
          {"max", time.max}, {"p99", nullable(time.p99)}, {"samples", time.samples}};
}

Json verdict_of(const Verdict& verdict) {
  return {{"status", name_of(verdict.status)}, {"reasons", verdict.reasons}, {"unknown", verdict.unknown}};
}

Json document_of(const RunHeader& header, const std::string& ended_early, const RunContext& context) {
  return {{"schema_version", RunHeader::schema_version},
          {"tool", header.tool},
          {"tool_version", header.tool_version},
          {"complete", header.complete},
          {"ended_early", nullable(ended_early)},
          {"started_at", header.started_at},
          {"duration_s", header.duration.count()},
          {"command", header.command},
          {"notes", header.notes},
          {"context", context_of(context)}};
}

std::string text_of(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace shakedown
