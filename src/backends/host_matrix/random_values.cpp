// SPDX-License-Identifier: Apache-2.0
#include "backends/host_matrix/random_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>
#include <stdexcept>

namespace shakedown {
namespace {

constexpr std::size_t block_elements = 524287;  // 2^19 - 1, a prime: the block stays in a core's own cache
constexpr double int8_deviation = 32;
constexpr double int8_limit = 127;
constexpr int small_integers = 4;

/// The nearest bfloat16, ties to even.
std::uint16_t encode_bfloat16(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  bits += 0x7FFFu + ((bits >> 16) & 1u);
  return static_cast<std::uint16_t>(bits >> 16);
}

/// The nearest float16, ties to even, of a magnitude below 65504.
std::uint16_t encode_float16(float value) {
  const int exponent = std::max(std::ilogb(std::max(std::fabs(value), 1e-30f)), -14);
  // In units of the last place; 2^11 of them is the next power of two, and carries into the exponent by itself.
  const auto units = static_cast<std::uint32_t>(std::nearbyint(std::ldexp(std::fabs(value), 10 - exponent)));
  const std::uint32_t bits = units < 1024 ? units : (static_cast<std::uint32_t>(exponent + 14) << 10) + units;
  return static_cast<std::uint16_t>(bits | (std::signbit(value) ? 0x8000u : 0u));
}

/// Draws one number after the other, of the distribution that `data` names.
class Source {
 public:
  Source(GemmData data, std::uint64_t seed, bool is_int8) : data_(data), is_int8_(is_int8), bits_(seed) {}

  double next() {
    switch (data_) {
      case GemmData::normal:
        return is_int8_ ? std::clamp(std::nearbyint(int8_deviation * normal_(bits_)), -int8_limit, int8_limit)
                        : normal_(bits_);
      case GemmData::uniform:
        return is_int8_ ? std::nearbyint(int8_limit * uniform_(bits_)) : uniform_(bits_);
      case GemmData::integers:
        return integers_(bits_);
      case GemmData::zeros:
        return 0;
      case GemmData::ones:
        return 1;
    }
    throw std::logic_error("a GemmData without values");
  }

 private:
  GemmData data_;
  bool is_int8_;
  std::mt19937_64 bits_;
  std::normal_distribution<double> normal_;
  std::uniform_real_distribution<double> uniform_{-1, 1};
  std::uniform_int_distribution<int> integers_{-small_integers, small_integers};
};

template <class Element, class Encode>
std::vector<std::byte> make_block(Source source, Encode encode) {
  std::vector<std::byte> block(block_elements * sizeof(Element));
  for (std::size_t i = 0; i < block_elements; ++i) {
    const Element element = encode(source.next());
    std::memcpy(block.data() + i * sizeof element, &element, sizeof element);
  }
  return block;
}

}  // namespace

std::vector<std::byte> make_value_block(DataType type, GemmData data, std::uint64_t seed) {
  const Source source{data, seed, size_of(type) == 1};
  switch (type) {
    case DataType::float64:
      return make_block<double>(source, [](double value) { return value; });
    case DataType::float32:
      return make_block<float>(source, [](double value) { return static_cast<float>(value); });
    case DataType::bfloat16:
      return make_block<std::uint16_t>(source, [](double value) { return encode_bfloat16(static_cast<float>(value)); });
    case DataType::float16:
      return make_block<std::uint16_t>(source, [](double value) { return encode_float16(static_cast<float>(value)); });
    case DataType::int8:
      return make_block<std::int8_t>(source, [](double value) { return static_cast<std::int8_t>(value); });
    case DataType::uint8:
      return make_block<std::uint8_t>(source, [](double value) { return static_cast<std::uint8_t>(std::fabs(value)); });
    default:
      throw std::logic_error("no values are made of this type");
  }
}

}  // namespace shakedown
