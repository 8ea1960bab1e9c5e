// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <mpi.h>

#include <cstdint>

#include "shakedown/base/dtype.h"

namespace shakedown {

/// The nearest float16 (ties to even), as bits, and back. Public to the test.
std::uint16_t float_to_half(float value);
float half_to_float(std::uint16_t bits);

/// MPI knows no 16-bit floats, so their sum is an operation of ours: each pair is added in float32 and rounded to
/// nearest, ties to even, as a training framework does it on a CPU.
class HalfSum {
 public:
  explicit HalfSum(DataType type);  ///< float16 or bfloat16
  HalfSum(const HalfSum&) = delete;
  HalfSum& operator=(const HalfSum&) = delete;

  [[nodiscard]] MPI_Datatype type() const { return type_; }
  [[nodiscard]] MPI_Op op() const { return op_; }
  /// Gives both back; needs MPI to be running still.
  void close();

 private:
  MPI_Datatype type_{MPI_DATATYPE_NULL};
  MPI_Op op_{MPI_OP_NULL};
};

}  // namespace shakedown
