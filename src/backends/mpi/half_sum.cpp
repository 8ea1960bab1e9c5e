// SPDX-License-Identifier: Apache-2.0
#include "backends/mpi/half_sum.h"

#include <cstring>

#include "backends/mpi/check.h"

namespace shakedown {
namespace {

std::uint32_t bits_of(float value) {
  std::uint32_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

float float_of(std::uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}

std::uint16_t float_to_bfloat(float value) {
  const std::uint32_t bits = bits_of(value);
  if ((bits & 0x7FFFFFFFu) > 0x7F800000u) return static_cast<std::uint16_t>((bits >> 16) | 0x40u);  // NaN stays NaN
  return static_cast<std::uint16_t>((bits + 0x7FFFu + ((bits >> 16) & 1u)) >> 16);
}

float bfloat_to_float(std::uint16_t bits) { return float_of(static_cast<std::uint32_t>(bits) << 16); }

/// The signature is MPI_User_function's.
template <float (*widen)(std::uint16_t), std::uint16_t (*narrow)(float)>
void add(void* in, void* in_out, int* length, MPI_Datatype*) {
  const auto* from = static_cast<const std::uint16_t*>(in);
  auto* to = static_cast<std::uint16_t*>(in_out);
  for (int i = 0; i < *length; ++i) to[i] = narrow(widen(from[i]) + widen(to[i]));
}

}  // namespace

float half_to_float(std::uint16_t bits) {
  const std::uint32_t sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
  const std::uint32_t rest = static_cast<std::uint32_t>(bits & 0x7FFFu) << 13;
  if (rest >= 0x0F800000u) return float_of(sign | 0x7F800000u | (rest & 0x007FFFFFu));  // infinity and NaN
  // The exponent is 112 too small: multiplying by 2^112 mends it, and normalizes subnormals on the way.
  return float_of(sign | bits_of(float_of(rest) * 0x1p112f));
}

std::uint16_t float_to_half(float value) {
  const std::uint32_t bits = bits_of(value);
  const auto sign = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  const std::uint32_t magnitude = bits & 0x7FFFFFFFu;
  if (magnitude > 0x7F800000u) return static_cast<std::uint16_t>(sign | 0x7E00u);
  if (magnitude >= 0x477FF000u) return static_cast<std::uint16_t>(sign | 0x7C00u);  // 65520 and above round to infinity
  if (magnitude < 0x38800000u) {
    // Below 2^-14 the result is a multiple of 2^-24: adding 0.5 lets the adder round to it.
    return static_cast<std::uint16_t>(sign | (bits_of(float_of(magnitude) + 0.5f) - bits_of(0.5f)));
  }
  const std::uint32_t rounded = magnitude - 0x38000000u + 0xFFFu + ((magnitude >> 13) & 1u);
  return static_cast<std::uint16_t>(sign | (rounded >> 13));
}

HalfSum::HalfSum(DataType type) {
  check_mpi(MPI_Type_contiguous(2, MPI_BYTE, &type_), "make a 16-bit type");
  check_mpi(MPI_Type_commit(&type_), "make a 16-bit type");
  auto* sum = type == DataType::float16 ? &add<half_to_float, float_to_half> : &add<bfloat_to_float, float_to_bfloat>;
  check_mpi(MPI_Op_create(sum, 1, &op_), "make the sum of a 16-bit type");
}

void HalfSum::close() {
  check_mpi(MPI_Op_free(&op_), "free the sum of a 16-bit type");
  check_mpi(MPI_Type_free(&type_), "free a 16-bit type");
}

}  // namespace shakedown
