// SPDX-License-Identifier: Apache-2.0
#include "shakedown/report/read_gemm_report.h"

#include <fmt/format.h>

#include <array>

#include "report/json_parts.h"
#include "report/words.h"
#include "shakedown/base/error.h"
#include "shakedown/model/run_context.h"

namespace shakedown {
namespace {

[[noreturn]] void refuse(const std::string& what) {
  throw UsageError("reading the results of an earlier run: " + what +
                   "; give a file that mamf_finder --json wrote, or leave the option out");
}

/// Null and absent are the same: unknown.
template <class Value>
std::optional<Value> optional_of(const Json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end() || found->is_null()) return {};
  return found->get<Value>();
}

/// NaN was written as null; zero is what an unmeasured result holds.
double number_of(const Json& object, const char* key) { return optional_of<double>(object, key).value_or(0); }
std::string text_of(const Json& object, const char* key) { return optional_of<std::string>(object, key).value_or(""); }

/// The value with that name.
template <class Value, std::size_t count>
Value named(const Json& object, const char* key, const std::array<Value, count>& values) {
  const auto name = object.at(key).get<std::string>();
  for (const Value value : values) {
    if (name_of(value) == name) return value;
  }
  refuse(fmt::format("{} is \"{}\", which this version does not know", key, one_line(name)));
}

/// From JSON, a negative number would wrap into a huge one.
std::uint64_t size_of(const Json& object, const char* key) {
  const Json& value = object.at(key);
  if (!value.is_number_unsigned() || value.get<std::uint64_t>() == 0)
    refuse(fmt::format("{} is {}, and must be a whole number above 0", key, one_line(value.dump())));
  return value.get<std::uint64_t>();
}

GemmKind kind_of(const Json& object) {
  const auto name = object.at("dtype").get<std::string>();
  const auto type = parse_gemm_type(name);
  if (!type) refuse(fmt::format("dtype is \"{}\", which this version does not know", one_line(name)));
  return {*type,
          named(object, "accumulation", std::array{Accumulation::standard, Accumulation::fast, Accumulation::half}),
          named(object, "layout", std::array{GemmLayout::tn, GemmLayout::nn, GemmLayout::nt, GemmLayout::tt})};
}

std::optional<DeviceInfo> read_device(const Json& object) {
  const auto found = object.find("device");
  if (found == object.end() || found->is_null()) return {};
  return DeviceInfo{found->at("index").get<int>(), text_of(*found, "name"), text_of(*found, "uuid"),
                    text_of(*found, "pci"), Bytes{optional_of<std::uint64_t>(*found, "memory_bytes").value_or(0)}};
}

TimeStatistics read_time(const Json& time) {
  return {number_of(time, "min"), number_of(time, "median"),        number_of(time, "mean"),
          number_of(time, "max"), optional_of<double>(time, "p99"), time.at("samples").get<std::uint64_t>()};
}

RateStatistics read_rate(const Json& rate) {
  return {number_of(rate, "mean"), number_of(rate, "median"), number_of(rate, "max"),
          optional_of<double>(rate, "ci95_low"), optional_of<double>(rate, "ci95_high")};
}

GemmResult read_result(const Json& json) {
  GemmResult result;
  // A kind that the device did not have has a row without a shape.
  if (!json.at("m").is_null()) result.shape = {size_of(json, "m"), size_of(json, "n"), size_of(json, "k")};
  result.kind = kind_of(json);
  result.mode = named(json, "mode", std::array{GemmMode::burst, GemmMode::sustained, GemmMode::mamf_v2});
  result.status = named(json, "status", std::array{RowStatus::ok, RowStatus::skipped, RowStatus::failed});
  result.host = text_of(json, "host");
  result.device = read_device(json);
  result.time_s = read_time(json.at("time_s"));
  result.rate = read_rate(json.at("tflops"));
  if (result.status == RowStatus::ok && !(result.rate.median > 0)) refuse("a result that is ok has no tflops.median");
  result.calls_per_sample = optional_of<int>(json, "calls_per_sample").value_or(0);
  result.places = optional_of<int>(json, "places").value_or(0);
  result.algorithm = text_of(json, "algorithm");
  result.clock_mhz = optional_of<double>(json, "sm_clock_mhz");
  result.power_w = optional_of<double>(json, "power_w");
  result.temperature_c = optional_of<double>(json, "temperature_c");
  result.throttle = optional_of<std::vector<std::string>>(json, "throttle").value_or(std::vector<std::string>{});
  result.drift_per_s = optional_of<double>(json, "drift_per_s");
  result.stopped_by = text_of(json, "stopped_by");
  result.verified = optional_of<bool>(json, "verified");
  result.remark = text_of(json, "remark");
  result.reason = text_of(json, "reason");
  return result;
}

void require_ours(const Json& document) {
  if (!document.is_object() || !document.contains("tool") || !document.contains("schema_version"))
    refuse("this is JSON, but no report of ours: it has no tool and no schema_version");
  if (document["tool"] != "mamf_finder")
    refuse(fmt::format("tool is {}, and must be \"mamf_finder\"", one_line(document["tool"].dump())));
  if (document["schema_version"] != RunHeader::schema_version)
    refuse(fmt::format("schema_version is {}, and this version reads {}", one_line(document["schema_version"].dump()),
                       RunHeader::schema_version));
}

}  // namespace

EarlierGemmRun read_gemm_run(const std::string& json_text) {
  EarlierGemmRun run;
  std::vector<GemmResult>& results = run.results;
  try {
    const Json document = Json::parse(json_text);
    require_ours(document);
    if (const auto protocol = document.find("protocol"); protocol != document.end() && protocol->is_object()) {
      run.data = text_of(*protocol, "data");
      run.seed = optional_of<std::uint64_t>(*protocol, "seed").value_or(0);
    }
    for (const Json& result : document.at("results")) results.push_back(read_result(result));
  } catch (const Json::parse_error& error) {
    refuse(fmt::format("the file is no whole JSON document ({})", one_line(error.what())));
  } catch (const Json::exception& error) {
    refuse(fmt::format("result {} is not as expected ({})", results.size() + 1, one_line(error.what())));
  }
  return run;
}

}  // namespace shakedown
