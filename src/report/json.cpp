// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "report/json_parts.h"
#include "shakedown/report/render.h"

namespace shakedown {
namespace {

Json nullable(const std::optional<BytesPerSecond>& value) { return value ? Json(value->value) : Json(); }
using shakedown::nullable;

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
          {"time_s", time_of(row.time_s)},
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

}  // namespace

std::string render_json(const CollectiveReport& report) {
  Json results = Json::array();
  for (const CollectiveRow& row : report.rows) results.push_back(result_of(report.protocol, row, report.profile));
  Json document = document_of(report.header, report.ended_early, report.context);
  document["protocol"] = protocol_of(report);
  document["results"] = std::move(results);
  document["summary"] = summary_of(report.summary());
  document["verdict"] = verdict_of(judge(report.checks));
  return text_of(document);
}

}  // namespace shakedown
