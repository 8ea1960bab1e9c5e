// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

#include "shakedown/model/run_context.h"
#include "shakedown/model/time_statistics.h"
#include "shakedown/model/verdict.h"

namespace shakedown {

// Keeps the keys in the order in which a reader wants them. Numbers that are not finite are written as null by the
// library.
using Json = nlohmann::ordered_json;

template <class Value>
Json nullable(const std::optional<Value>& value) {
  return value ? Json(*value) : Json();
}
/// Null for an empty text.
Json nullable(const std::string& text);

Json object_of(const NamedValues& values);
Json device_of(const std::optional<DeviceInfo>& device);
Json context_of(const RunContext& context);
/// All null but `samples` where there are none.
Json time_of(const TimeStatistics& time);
Json verdict_of(const Verdict& verdict);
/// The keys that every tool's document starts with, "schema_version" to "context".
Json document_of(const RunHeader& header, const std::string& ended_early, const RunContext& context);

/// The document as text, ended by a newline. Host names, notes and variables are bytes from outside: what is no UTF-8
/// becomes U+FFFD instead of an exception.
std::string text_of(const Json& document);

}  // namespace shakedown
