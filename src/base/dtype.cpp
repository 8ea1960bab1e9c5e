// SPDX-License-Identifier: Apache-2.0
#include "shakedown/base/dtype.h"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <string>

#include "base/type_spelling.h"

namespace shakedown {
namespace {

/// What is known of one type, so that a new one is one line.
struct Entry {
  DataType type;
  std::string_view name;
  std::size_t size;
  std::uint64_t exact_limit;  ///< floats: 2^(significand bits, the hidden one too)
};

constexpr std::array<Entry, 12> entries{{
    {DataType::int8, "int8", 1, 127},
    {DataType::uint8, "uint8", 1, 255},
    {DataType::int32, "int32", 4, std::numeric_limits<std::int32_t>::max()},
    {DataType::uint32, "uint32", 4, std::numeric_limits<std::uint32_t>::max()},
    {DataType::int64, "int64", 8, std::numeric_limits<std::int64_t>::max()},
    {DataType::uint64, "uint64", 8, std::numeric_limits<std::uint64_t>::max()},
    {DataType::float16, "float16", 2, 1ull << 11},
    {DataType::bfloat16, "bfloat16", 2, 1ull << 8},
    {DataType::float32, "float32", 4, 1ull << 24},
    {DataType::float64, "float64", 8, 1ull << 53},
    {DataType::float8_e4m3fn, "float8_e4m3fn", 1, 1ull << 4},
    {DataType::float8_e5m2, "float8_e5m2", 1, 1ull << 3},
}};

/// Another name that the field uses. NumPy's one-letter codes are left out: its "f8" is eight bytes, everybody else's
/// is one; so is "byte", signed in NumPy and unsigned in PyTorch.
struct Alias {
  std::string_view name;
  DataType type;
};

constexpr std::array<Alias, 38> aliases{{
    {"i8", DataType::int8},
    {"char", DataType::int8},
    {"u8", DataType::uint8},
    {"i32", DataType::int32},
    {"int", DataType::int32},
    {"u32", DataType::uint32},
    {"uint", DataType::uint32},
    {"i64", DataType::int64},
    {"long", DataType::int64},
    {"u64", DataType::uint64},
    {"ulong", DataType::uint64},
    {"fp16", DataType::float16},
    {"f16", DataType::float16},
    {"half", DataType::float16},
    {"bf16", DataType::bfloat16},
    {"fp32", DataType::float32},
    {"f32", DataType::float32},
    {"float", DataType::float32},
    {"single", DataType::float32},
    {"fp64", DataType::float64},
    {"f64", DataType::float64},
    {"double", DataType::float64},
    {"fp8", DataType::float8_e4m3fn},
    {"float8", DataType::float8_e4m3fn},
    {"e4m3", DataType::float8_e4m3fn},
    {"e4m3fn", DataType::float8_e4m3fn},
    {"f8e4m3", DataType::float8_e4m3fn},
    {"f8e4m3fn", DataType::float8_e4m3fn},
    {"fp8e4m3", DataType::float8_e4m3fn},
    {"fp8_e4m3", DataType::float8_e4m3fn},
    {"fp8_e4m3fn", DataType::float8_e4m3fn},
    {"float8_e4m3", DataType::float8_e4m3fn},
    {"float8e4m3", DataType::float8_e4m3fn},
    {"e5m2", DataType::float8_e5m2},
    {"f8e5m2", DataType::float8_e5m2},
    {"fp8e5m2", DataType::float8_e5m2},
    {"fp8_e5m2", DataType::float8_e5m2},
    {"float8e5m2", DataType::float8_e5m2},
}};

constexpr auto types = [] {
  std::array<DataType, entries.size()> list{};
  for (std::size_t i = 0; i < entries.size(); ++i) list[i] = entries[i].type;
  return list;
}();

const Entry& entry_of(DataType type) {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.type == type; });
  if (found == entries.end()) throw std::logic_error("a DataType that is not in the table");
  return *found;
}

}  // namespace

std::string canonical_spelling(std::string_view name) {
  std::string lower;
  for (const char c : name) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  for (const std::string_view prefix : {"torch.", "numpy.", "np."}) {
    if (lower.rfind(prefix, 0) == 0) return lower.substr(prefix.size());
  }
  return lower;
}

std::span<const DataType> all_data_types() { return types; }
std::string_view name_of(DataType type) { return entry_of(type).name; }
std::size_t size_of(DataType type) { return entry_of(type).size; }
std::uint64_t exact_integer_limit(DataType type) { return entry_of(type).exact_limit; }

std::optional<DataType> parse_data_type(std::string_view name) {
  const std::string spelling = canonical_spelling(name);
  for (const Entry& entry : entries) {
    if (entry.name == spelling) return entry.type;
  }
  for (const Alias& alias : aliases) {
    if (alias.name == spelling) return alias.type;
  }
  return std::nullopt;
}

}  // namespace shakedown
