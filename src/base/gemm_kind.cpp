// SPDX-License-Identifier: Apache-2.0
#include "shakedown/base/gemm_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "base/type_spelling.h"
#include "shakedown/base/dtype.h"

namespace shakedown {
namespace {

/// What is known of one type, so that a new one is one line.
struct Entry {
  GemmType type;
  std::string_view name;
  std::size_t input_bits;
  std::string_view output_name;
  std::size_t output_size;
  std::optional<DataType> element;  ///< every name of this type is a name of the GemmType too
};

constexpr std::array<Entry, 10> entries{{
    {GemmType::float64, "float64", 64, "float64", 8, DataType::float64},
    {GemmType::float32, "float32", 32, "float32", 4, DataType::float32},
    {GemmType::tfloat32, "tfloat32", 32, "float32", 4, std::nullopt},
    {GemmType::float16, "float16", 16, "float16", 2, DataType::float16},
    {GemmType::bfloat16, "bfloat16", 16, "bfloat16", 2, DataType::bfloat16},
    {GemmType::float8_e4m3fn, "float8_e4m3fn", 8, "bfloat16", 2, DataType::float8_e4m3fn},
    {GemmType::float8_e5m2, "float8_e5m2", 8, "bfloat16", 2, DataType::float8_e5m2},
    {GemmType::int8, "int8", 8, "int32", 4, DataType::int8},
    {GemmType::mxfp8, "mxfp8", 8, "bfloat16", 2, std::nullopt},
    {GemmType::nvfp4, "nvfp4", 4, "bfloat16", 2, std::nullopt},
}};

/// Another name of a type that is no DataType. "fp4" and "float4_e2m1fn_x2" are left out: both also mean mxfp4, whose
/// scales are others.
struct Alias {
  std::string_view name;
  GemmType type;
};

constexpr std::array<Alias, 5> aliases{{
    {"tf32", GemmType::tfloat32},
    {"tensorfloat32", GemmType::tfloat32},
    {"tensorfloat-32", GemmType::tfloat32},
    {"mxfp8_e4m3", GemmType::mxfp8},
    {"nvfp4_e2m1", GemmType::nvfp4},
}};

constexpr auto types = [] {
  std::array<GemmType, entries.size()> list{};
  for (std::size_t i = 0; i < entries.size(); ++i) list[i] = entries[i].type;
  return list;
}();

const Entry& entry_of(GemmType type) {
  const auto found =
      std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) { return entry.type == type; });
  if (found == entries.end()) throw std::logic_error("a GemmType that is not in the table");
  return *found;
}

}  // namespace

std::string format_shape(const GemmShape& shape) { return fmt::format("{}x{}x{}", shape.m, shape.n, shape.k); }

std::span<const GemmType> all_gemm_types() { return types; }
std::string_view name_of(GemmType type) { return entry_of(type).name; }
std::string_view output_name_of(GemmType type) { return entry_of(type).output_name; }
std::size_t input_bits_of(GemmType type) { return entry_of(type).input_bits; }
std::size_t output_size_of(GemmType type) { return entry_of(type).output_size; }
std::string_view rate_unit_of(GemmType type) { return type == GemmType::int8 ? "TOPS" : "TFLOPS"; }

std::optional<GemmType> parse_gemm_type(std::string_view name) {
  const std::optional<DataType> element = parse_data_type(name);
  const std::string spelling = canonical_spelling(name);
  for (const Entry& entry : entries) {
    if (entry.name == spelling || (element && entry.element == element)) return entry.type;
  }
  for (const Alias& alias : aliases) {
    if (alias.name == spelling) return alias.type;
  }
  return std::nullopt;
}

std::string_view name_of(Accumulation accumulation) {
  switch (accumulation) {
    case Accumulation::standard:
      return "standard";
    case Accumulation::fast:
      return "fast";
    case Accumulation::half:
      return "half";
  }
  throw std::logic_error("an Accumulation without a name");
}

std::string_view name_of(GemmLayout layout) {
  switch (layout) {
    case GemmLayout::tn:
      return "TN";
    case GemmLayout::nn:
      return "NN";
    case GemmLayout::nt:
      return "NT";
    case GemmLayout::tt:
      return "TT";
  }
  throw std::logic_error("a GemmLayout without a name");
}

std::string_view name_of(GemmData data) {
  switch (data) {
    case GemmData::normal:
      return "normal";
    case GemmData::uniform:
      return "uniform";
    case GemmData::integers:
      return "integers";
    case GemmData::zeros:
      return "zeros";
    case GemmData::ones:
      return "ones";
  }
  throw std::logic_error("a GemmData without a name");
}

std::string describe(const GemmKind& kind) {
  std::string text{name_of(kind.type)};
  if (kind.accumulation == Accumulation::fast) text += ", fast accumulation";
  if (kind.accumulation == Accumulation::half) text += ", float16 accumulation";
  if (kind.layout != GemmLayout::tn) text += fmt::format(", {}", name_of(kind.layout));
  return text;
}

}  // namespace shakedown
