// SPDX-License-Identifier: Apache-2.0
#include "gemm_values.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

#include "option_values.h"
#include "shakedown/base/error.h"

namespace shakedown {
namespace {

/// Larger ones would make m n k meaningless as a count of anything.
constexpr std::uint64_t largest_dimension = std::uint64_t{1} << 40;
constexpr int most_devices = 1024;

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return text;
}

std::string join(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words) all += (all.empty() ? "" : ", ") + word;
  return all;
}

/// The value whose name is `text`; throws UsageError that lists the names.
template <class Value, std::size_t count>
Value named(const std::string& text, const std::string& option, const std::array<Value, count>& values) {
  std::vector<std::string> names;
  for (const Value value : values) {
    names.emplace_back(name_of(value));
    if (lower(text) == lower(names.back())) return value;
  }
  throw UsageError(fmt::format("{}: '{}' is not one of {}", option, text, join(names)));
}

std::vector<std::string> split_all(const std::vector<std::string>& words) {
  std::vector<std::string> parts;
  for (const std::string& word : words)
    for (const std::string& part : split_list(word)) parts.push_back(part);
  return parts;
}

}  // namespace

std::vector<GemmType> parse_types(const std::vector<std::string>& names, bool& all) {
  std::vector<GemmType> types;
  for (const std::string& name : split_all(names)) {
    if (lower(name) == "all") {
      all = true;
      continue;
    }
    const auto type = parse_gemm_type(name);
    if (!type) {
      std::vector<std::string> known;
      for (const GemmType each : all_gemm_types()) known.emplace_back(name_of(each));
      throw UsageError(
          fmt::format("--dtype: '{}' is not known; one of {}, or all (names of PyTorch, NumPy and nccl-tests are "
                      "taken, too)",
                      name, join(known)));
    }
    if (std::find(types.begin(), types.end(), *type) == types.end()) types.push_back(*type);
  }
  if (all && !types.empty()) throw UsageError("--dtype: all holds the others already; give all alone, or the list");
  return types;
}

Accumulation parse_accumulation(const std::string& text) {
  return named(text, "--accumulation", std::array{Accumulation::standard, Accumulation::fast, Accumulation::half});
}

GemmLayout parse_layout(const std::string& text) {
  return named(text, "--layout", std::array{GemmLayout::tn, GemmLayout::nn, GemmLayout::nt, GemmLayout::tt});
}

GemmData parse_data(const std::string& text) {
  return named(text, "--init",
               std::array{GemmData::normal, GemmData::uniform, GemmData::integers, GemmData::zeros, GemmData::ones});
}

std::vector<GemmMode> parse_protocol(const std::string& text) {
  if (text == "burst-sustained") return {GemmMode::burst, GemmMode::sustained};
  for (const GemmMode mode : {GemmMode::burst, GemmMode::sustained, GemmMode::mamf_v2})
    if (text == name_of(mode)) return {mode};
  throw UsageError(fmt::format("--protocol: '{}' is not one of burst-sustained, burst, sustained, mamf-v2", text));
}

MinimumRate parse_minimum_rate(const std::string& text) {
  const std::vector<std::string> words = split_list(text);
  if (words.size() > 2)
    throw UsageError(fmt::format("--min-tflops: '{}' has more than a number and a mode; e.g. 650,sustained", text));
  MinimumRate minimum{.value = parse_number(words.front(), "--min-tflops", 0, 1e9), .mode = std::nullopt};
  if (words.size() == 2)
    minimum.mode =
        named(words.back(), "--min-tflops", std::array{GemmMode::burst, GemmMode::sustained, GemmMode::mamf_v2});
  return minimum;
}

std::vector<std::uint64_t> parse_dimensions(const std::vector<std::string>& words, const std::string& option) {
  std::vector<std::uint64_t> numbers;
  for (const std::string& part : split_all(words))
    numbers.push_back(parse_large_count(part, option, 1, largest_dimension));
  return numbers;
}

DimensionRange parse_range(const std::vector<std::string>& words, const std::string& option) {
  const std::vector<std::string> parts = split_all(words);
  if (parts.size() != 3)
    throw UsageError(fmt::format(
        "{}: {} given ('{}'), it takes three: start stop step (a start of 0 means step, stop is excluded)", option,
        parts.size() == 1 ? "1 number is" : fmt::format("{} numbers are", parts.size()), fmt::join(parts, " ")));
  const auto number = [&](std::size_t i) { return parse_large_count(parts[i], option, 0, largest_dimension); };
  return {.start = number(0), .stop = number(1), .step = number(2)};
}

std::vector<GemmShape> parse_shape_list(const std::string& text, const std::string& option) {
  std::vector<GemmShape> shapes;
  for (const std::string& word : split_list(text)) {
    std::string sides = lower(word);
    std::replace(sides.begin(), sides.end(), 'x', ',');
    const std::vector<std::string> parts = split_list(sides);
    if (parts.size() != 3)
      throw UsageError(fmt::format("{}: '{}' is no shape MxNxK, e.g. 8192x8192x8192", option, word));
    const auto side = [&](std::size_t i) { return parse_large_count(parts[i], option, 1, largest_dimension); };
    shapes.push_back({side(0), side(1), side(2)});
  }
  return shapes;
}

DeviceChoice parse_devices(const std::string& text) {
  DeviceChoice choice;
  if (lower(text) == "all") {
    choice.all = true;
    return choice;
  }
  for (const std::string& word : split_list(text)) {
    const int index = parse_count(word, "--devices", 0, most_devices);
    if (std::find(choice.indices.begin(), choice.indices.end(), index) != choice.indices.end())
      throw UsageError(fmt::format("--devices: {} is named twice", index));
    choice.indices.push_back(index);
  }
  return choice;
}

}  // namespace shakedown
