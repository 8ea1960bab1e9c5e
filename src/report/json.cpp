// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include <algorithm>

#include "shakedown/report/render.h"

namespace shakedown {
namespace {

// Keeps the keys in the order in which a reader wants them. Numbers that are not finite are written as null by the
// library.
using Json = nlohmann::ordered_json;

Json nullable(const std::optional<BytesPerSecond>& value) { return value ? Json(value->value) : Json(); }

template <class Number>
Json nullable(const std::optional<Number>& value) {
  return value ? Json(*value) : Json();
}

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

Json protocol_of(const CollectiveReport& report) {
  const CollectiveProtocol& protocol = report.protocol;
  Json sizes = Json::array();
  for (const Bytes size : protocol.sizes) sizes.push_back(size.count);
  std::optional<std::uint64_t> largest_batch;
  for (const CollectiveRow& row : report.rows) {
    if (row.time_s.samples > 0) largest_batch = std::max(row.batch, largest_batch.value_or(0));
  }
  return {{"collective", protocol.collective},
          {"dtype", name_of(protocol.dtype)},
          {"op", protocol.op},
          {"timing", name_of(protocol.timing)},
          {"in_place", protocol.in_place},
          {"warmups", protocol.warmups},
          {"iterations", protocol.iterations},
          {"batch", nullable(largest_batch)},
          {"sample", "maximum over ranks, seconds a call"},
          {"bandwidth_from", "median over iterations"},
          {"check", protocol.check},
          {"timeout_s", protocol.timeout.count()},
          {"asked_timeout_s", protocol.asked_timeout.count()},
          {"size_rule", protocol.size_rule},
          {"sizes", std::move(sizes)}};
}

Json time_of(const CollectiveRow& row) {
  const TimeStatistics& time = row.time_s;
  if (time.samples == 0) {
    return {{"min", nullptr}, {"median", nullptr}, {"mean", nullptr},
            {"max", nullptr}, {"p99", nullptr},    {"samples", 0}};
  }
  return {{"min", time.min}, {"median", time.median},     {"mean", time.mean},
          {"max", time.max}, {"p99", nullable(time.p99)}, {"samples", time.samples}};
}

Json first_wrong_of(const std::optional<WrongElement>& wrong) {
  if (!wrong) return {};
  return {{"rank", wrong->rank}, {"host", wrong->host},         {"index", wrong->index},
          {"got", wrong->got},   {"expected", wrong->expected}, {"when", wrong->when}};
}

Json straggler_of(const std::optional<Straggler>& straggler) {
  if (!straggler) return {};
  return {{"rank", straggler->rank}, {"host", straggler->host}, {"lead_s", straggler->lead_s}};
}

/// A result file is written again while rows come in, so that a million samples a row would cost more than the
/// measurement.
constexpr std::size_t most_samples = 1000;

Json result_of(const CollectiveProtocol& protocol, const CollectiveRow& row, bool all_samples) {
  const bool measured = row.time_s.samples > 0;  // a failed row with wrong data was measured all the same
  return {{"collective", protocol.collective},
          {"bytes", row.bytes.count},
          {"bytes_requested", row.bytes_requested.count},
          {"count", row.count},
          {"dtype", name_of(protocol.dtype)},
          {"op", protocol.op},
          {"in_place", protocol.in_place},
          {"timing", name_of(protocol.timing)},
          {"iterations", measured ? Json(row.iterations) : Json()},
          {"batch", measured ? Json(row.batch) : Json()},
          {"places", measured ? Json(row.places) : Json()},
          {"time_s", time_of(row)},
          {"samples_s", all_samples || row.samples_s.size() <= most_samples ? Json(row.samples_s) : Json()},
          {"per_rank_s", measured ? Json(row.per_rank_s) : Json::array()},
          {"algbw_bytes_per_s", measured ? Json(row.algbw.value) : Json()},
          {"busbw_bytes_per_s", measured ? nullable(row.busbw) : Json()},
          {"checked", row.checked},
          {"wrong", row.checked ? nullable(row.wrong) : Json()},
          {"first_wrong", first_wrong_of(row.first_wrong)},
          {"straggler", straggler_of(row.straggler)},
          {"status", name_of(row.status)},
          {"reason", nullable(row.reason)}};
}

Json summary_of(const CollectiveSummary& summary) {
  return {{"best_busbw_bytes_per_s", nullable(summary.best_busbw)},
          {"best_algbw_bytes_per_s", nullable(summary.best_algbw)},
          {"best_bytes", summary.best_algbw ? Json(summary.best_bytes.count) : Json()},
          {"wrong", summary.rows_checked > 0 ? Json(summary.wrong) : Json()},
          {"rows_checked", summary.rows_checked}};
}

Json verdict_of(const Verdict& verdict) {
  return {{"status", name_of(verdict.status)}, {"reasons", verdict.reasons}, {"unknown", verdict.unknown}};
}

}  // namespace

std::string render_json(const CollectiveReport& report) {
  const RunHeader& header = report.header;
  Json results = Json::array();
  for (const CollectiveRow& row : report.rows) results.push_back(result_of(report.protocol, row, report.profile));
  const Json document = {{"schema_version", RunHeader::schema_version},
                         {"tool", header.tool},
                         {"tool_version", header.tool_version},
                         {"complete", header.complete},
                         {"ended_early", nullable(report.ended_early)},
                         {"started_at", header.started_at},
                         {"duration_s", header.duration.count()},
                         {"command", header.command},
                         {"notes", header.notes},
                         {"context", context_of(report.context)},
                         {"protocol", protocol_of(report)},
                         {"results", std::move(results)},
                         {"summary", summary_of(report.summary())},
                         {"verdict", verdict_of(judge(report.checks))}};
  // Host names, notes and variables are bytes from outside: what is no UTF-8 becomes U+FFFD instead of an exception.
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace shakedown
