// SPDX-License-Identifier: Apache-2.0
#include "report/gemm_result_json.h"

namespace shakedown {
namespace {

Json rate_of(const GemmResult& result) {
  if (result.status != RowStatus::ok) {
    return {{"mean", nullptr}, {"median", nullptr}, {"max", nullptr}, {"ci95_low", nullptr}, {"ci95_high", nullptr}};
  }
  const RateStatistics& rate = result.rate;
  return {{"mean", rate.mean},
          {"median", rate.median},
          {"max", rate.max},
          {"ci95_low", nullable(rate.ci95_low)},
          {"ci95_high", nullable(rate.ci95_high)}};
}

}  // namespace

Json shape_json(const GemmShape& shape) { return {{"m", shape.m}, {"n", shape.n}, {"k", shape.k}}; }

Json kind_json(const GemmKind& kind) {
  return {{"dtype", name_of(kind.type)},
          {"accumulation", name_of(kind.accumulation)},
          {"layout", name_of(kind.layout)},
          {"output_dtype", output_name_of(kind.type)}};
}

Json result_json(const GemmResult& result) {
  const bool measured = result.status == RowStatus::ok;
  Json json = shape_json(result.shape);
  if (result.shape == GemmShape{}) json = {{"m", Json()}, {"n", Json()}, {"k", Json()}};
  json.update(kind_json(result.kind));
  json["unit"] = rate_unit_of(result.kind.type);
  json["mode"] = name_of(result.mode);
  json["host"] = nullable(result.host);
  json["device"] = device_of(result.device);
  json["time_s"] = time_of(measured ? result.time_s : TimeStatistics{});
  json["tflops"] = rate_of(result);
  json["calls_per_sample"] = measured ? Json(result.calls_per_sample) : Json();
  json["places"] = measured ? Json(result.places) : Json();
  json["algorithm"] = nullable(result.algorithm);
  json["sm_clock_mhz"] = nullable(result.clock_mhz);
  json["power_w"] = nullable(result.power_w);
  json["temperature_c"] = nullable(result.temperature_c);
  json["throttle"] = result.throttle;
  json["drift_per_s"] = nullable(result.drift_per_s);
  json["stopped_by"] = nullable(result.stopped_by);
  json["verified"] = nullable(result.verified);
  json["remark"] = nullable(result.remark);
  json["status"] = name_of(result.status);
  json["reason"] = nullable(result.reason);
  return json;
}

}  // namespace shakedown
