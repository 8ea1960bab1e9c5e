// SPDX-License-Identifier: Apache-2.0
#include "messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

namespace shakedown {
namespace {

/// Ends each field; in a field it becomes a question mark.
constexpr char separator = '\x1f';

void add(std::string& text, std::string field) {
  std::replace(field.begin(), field.end(), separator, '?');
  text += field + separator;
}

void add(std::string& text, const std::optional<double>& number) {
  add(text, number ? fmt::format("{:.17g}", *number) : std::string());
}

class Fields {
 public:
  explicit Fields(const std::string& text) : stream_(text) {}
  std::string text() {
    std::string field;
    std::getline(stream_, field, separator);
    return field;
  }
  std::optional<double> number() {
    const std::string field = text();
    return field.empty() ? std::nullopt : std::optional(std::stod(field));
  }
  std::uint64_t count() { return std::stoull(text()); }
  template <class Value>
  Value value() {
    return static_cast<Value>(count());
  }

 private:
  std::istringstream stream_;
};

template <class Value>
std::string number_of(Value value) {
  return std::to_string(static_cast<unsigned>(value));
}

}  // namespace

std::string pack(const std::vector<CompareTarget>& targets) {
  std::string text;
  add(text, std::to_string(targets.size()));
  for (const CompareTarget& target : targets) {
    add(text, number_of(target.kind.type));
    add(text, number_of(target.kind.accumulation));
    add(text, number_of(target.kind.layout));
    add(text, number_of(target.mode));
    for (const std::uint64_t side : {target.shape.m, target.shape.n, target.shape.k}) add(text, std::to_string(side));
    add(text, target.algorithm);
  }
  return text;
}

std::vector<CompareTarget> unpack_targets(const std::string& text) {
  Fields fields(text);
  std::vector<CompareTarget> targets(fields.count());
  for (CompareTarget& target : targets) {
    target.kind.type = fields.value<GemmType>();
    target.kind.accumulation = fields.value<Accumulation>();
    target.kind.layout = fields.value<GemmLayout>();
    target.mode = fields.value<GemmMode>();
    for (std::uint64_t* side : {&target.shape.m, &target.shape.n, &target.shape.k}) *side = fields.count();
    target.algorithm = fields.text();
  }
  return targets;
}

std::string pack(const GemmResult& result, const std::string& chip) {
  std::string text;
  add(text, chip);
  add(text, number_of(result.status));
  add(text, result.reason);
  add(text, result.host);
  add(text, result.remark);
  add(text, std::string(result.verified ? (*result.verified ? "right" : "wrong") : "unknown"));
  for (const auto& number : {std::optional(result.rate.median), result.clock_mhz, result.power_w, result.temperature_c})
    add(text, number);
  add(text, std::string(result.device ? "1" : "0"));
  if (!result.device) return text;
  add(text, std::to_string(result.device->index));
  add(text, result.device->name);
  add(text, result.device->uuid);
  add(text, result.device->pci);
  add(text, std::to_string(result.device->memory.count));
  return text;
}

RemoteResult unpack_result(const std::string& text) {
  Fields fields(text);
  RemoteResult remote;
  remote.chip = fields.text();
  GemmResult& result = remote.result;
  result.status = fields.value<RowStatus>();
  result.reason = fields.text();
  result.host = fields.text();
  result.remark = fields.text();
  if (const std::string verified = fields.text(); verified != "unknown") result.verified = verified == "right";
  result.rate.median = fields.number().value_or(0);
  result.clock_mhz = fields.number();
  result.power_w = fields.number();
  result.temperature_c = fields.number();
  if (fields.count() == 0) return remote;
  DeviceInfo& device = result.device.emplace();
  device.index = fields.value<int>();
  device.name = fields.text();
  device.uuid = fields.text();
  device.pci = fields.text();
  device.memory = Bytes{fields.count()};
  return remote;
}

}  // namespace shakedown
