// SPDX-License-Identifier: Apache-2.0
#include "report/gemm_result_json.h"
#include "report/suite_rows.h"
#include "shakedown/model/gemm_summary.h"
#include "shakedown/report/render_gemm.h"

namespace shakedown {
namespace {

template <class Item>
Json list_of(const std::vector<Item>& items, Json (*json)(const Item&)) {
  Json list = Json::array();
  for (const Item& item : items) list.push_back(json(item));
  return list;
}

std::string_view name_of_task(GemmTask task) {
  switch (task) {
    case GemmTask::search:
      return "search";
    case GemmTask::shapes:
      return "shapes";
    case GemmTask::model:
      return "model";
  }
  return "unknown";
}

Json protocol_of(const GemmProtocol& protocol) {
  Json modes = Json::array();
  for (const GemmMode mode : protocol.modes) modes.push_back(name_of(mode));
  return {{"task", name_of_task(protocol.task)},
          {"kinds", list_of(protocol.kinds, kind_json)},
          {"modes", std::move(modes)},
          {"operations", "2 m n k"},
          {"headline", "median over samples"},
          {"data", name_of(protocol.data)},
          {"seed", protocol.seed},
          {"shape_rule", protocol.shape_rule},
          {"shapes", protocol.shapes},
          {"budget_s", protocol.budget.count()},
          {"rest_s", protocol.rest.count()},
          {"screen_rest_s", protocol.screen_rest.count()},
          {"rest_rule", protocol.rest_rule},
          {"burst_warmups", protocol.burst_warmups},
          {"burst_calls", protocol.burst_calls},
          {"least_samples", protocol.least_samples},
          {"soak_s", protocol.soak.count()},
          {"sustained_s", protocol.sustained_time.count()},
          {"flushed_warmups", protocol.flushed_warmups},
          {"flushed_calls", protocol.flushed_calls},
          {"algorithms", protocol.algorithms},
          {"controls", list_of(protocol.controls, shape_json)},
          {"timeout_s", protocol.timeout.count()}};
}

Json screened_of(const ScreenedShape& screened) {
  Json json = shape_json(screened.shape);
  json["algorithm"] = nullable(screened.algorithm);
  json["mode"] = name_of(screened.mode);
  json["tflops"] = screened.rate;
  json["samples"] = screened.samples;
  return json;
}

Json peak_of(const GemmPeak& peak) {
  return {{"datasheet_tflops", nullable(peak.datasheet)},
          {"datasheet_source", nullable(peak.datasheet_source)},
          {"at_max_clock_tflops", nullable(peak.at(peak.max_clock_mhz))},
          {"operations_per_clock_and_unit", nullable(peak.per_clock)},
          {"units", peak.units > 0 ? Json(peak.units) : Json()},
          {"unit_name", peak.unit_name},
          {"max_clock_mhz", nullable(peak.max_clock_mhz)},
          {"estimated", peak.estimated},
          {"note", nullable(peak.note)}};
}

Json figure_of(const std::optional<GemmResult>& result, const GemmPeak& peak) {
  if (!result) return {};
  const Efficiency efficiency = efficiency_of(*result, peak);
  Json json = result_json(*result);
  json["efficiency"] = {{"of_datasheet", nullable(efficiency.of_datasheet)},
                        {"of_max_clock", nullable(efficiency.of_max_clock)},
                        {"of_measured_clock", nullable(efficiency.of_measured_clock)}};
  return json;
}

Json best_of(const BestGemm& best) {
  Json json = kind_json(best.kind);
  json["host"] = nullable(best.host);
  json["device"] = device_of(best.device);
  json["peak"] = peak_of(best.peak);
  json["burst"] = figure_of(best.burst, best.peak);
  json["sustained"] = figure_of(best.sustained, best.peak);
  json["mamf_v2"] = figure_of(best.mamf_v2, best.peak);
  return json;
}

Json reading_of(const DeviceReading& reading) {
  return {{"host", reading.host},
          {"rank", reading.rank},
          {"device", device_of(reading.device)},
          {"tflops", reading.rate},
          {"sm_clock_mhz", nullable(reading.clock_mhz)},
          {"power_w", nullable(reading.power_w)},
          {"temperature_c", nullable(reading.temperature_c)},
          {"outlier", reading.outlier}};
}

Json spread_of(const DeviceSpread& spread) {
  Json json = shape_json(spread.shape);
  json.update(kind_json(spread.kind));
  json["mode"] = name_of(spread.mode);
  json["together"] = spread.together;
  json["tflops"] = {{"min", spread.min}, {"median", spread.median}, {"max", spread.max}};
  json["devices"] = list_of(spread.devices, reading_of);
  return json;
}

Json suite_of(const std::optional<SuiteSummary>& suite, const std::vector<GemmResult>& results) {
  if (!suite) return {};
  Json entries = Json::array();
  for (const SuiteRow& row : suite_rows(*suite, results)) {
    Json entry = {{"name", row.entry->name}};
    entry.update(shape_json(row.entry->shape));
    entry["count"] = row.entry->count;
    entry["result"] = row.rate ? Json(row.entry->result) : Json();
    entry["tflops"] = nullable(row.rate);
    entry["share_of_time"] = nullable(row.of_time);
    entries.push_back(std::move(entry));
  }
  Json json = kind_json(suite->kind);
  json["description"] = suite->description;
  json["mode"] = name_of(suite->mode);
  json["operations"] = suite->operations;
  json["harmonic_mean_tflops"] = nullable(suite->harmonic_mean);
  json["entries"] = std::move(entries);
  return json;
}

Json best_shape_of(const std::optional<BestShape>& best) {
  if (!best) return {};
  Json json = {{"tflops", best->rate}};
  json.update(shape_json(best->shape));
  return json;
}

Json summary_of(const GemmSummary& summary) {
  Json json = kind_json(summary.kind);
  json["mode"] = name_of(summary.mode);
  json["host"] = nullable(summary.host);
  json["device"] = device_of(summary.device);
  json["tried"] = summary.tried;
  json["measured"] = summary.measured;
  json["skipped"] = summary.skipped;
  json["failed"] = summary.failed;
  json["best"] = {{"mean", best_shape_of(summary.mean)},
                  {"median", best_shape_of(summary.median)},
                  {"max", best_shape_of(summary.max)}};
  json["arithmetic_mean_tflops"] = nullable(summary.arithmetic_mean);
  json["geometric_mean_tflops"] = nullable(summary.geometric_mean);
  return json;
}

}  // namespace

std::string render_json(const GemmReport& report) {
  Json document = document_of(report.header, report.ended_early, report.context);
  document["protocol"] = protocol_of(report.protocol);
  document["results"] = list_of(report.results, result_json);
  document["screened"] = list_of(report.screened, screened_of);
  document["best"] = list_of(report.best, best_of);
  document["spreads"] = list_of(report.spreads, spread_of);
  document["suite"] = suite_of(report.suite, report.results);
  document["summary"] = {{"looked_at", count_shapes(report.screened)},
                         {"shapes", list_of(summaries_of(report), summary_of)}};
  document["verdict"] = verdict_of(judge(report.checks));
  return text_of(document);
}

}  // namespace shakedown
