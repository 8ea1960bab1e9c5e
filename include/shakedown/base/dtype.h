// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace shakedown {

/// Element types that the field measures with.
enum class DataType : std::uint8_t {
  int8,
  uint8,
  int32,
  uint32,
  int64,
  uint64,
  float16,
  bfloat16,
  float32,
  float64,
  float8_e4m3fn,
  float8_e5m2,
};

/// Every DataType, in the order in which --help lists them.
std::span<const DataType> all_data_types();

/// The canonical name, e.g. "bfloat16".
std::string_view name_of(DataType type);

/// Bytes of one element.
std::size_t size_of(DataType type);

/// The type that a name of PyTorch, NumPy or nccl-tests means ("torch.bfloat16", "bf16", "half", "float", "fp32" ...),
/// in any case; nothing when the name is not known.
std::optional<DataType> parse_data_type(std::string_view name);

/// The largest n such that every integer of magnitude up to n is exact in this type (2^24 in float32).
std::uint64_t exact_integer_limit(DataType type);

}  // namespace shakedown
