// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "backends/host_matrix/host_product.h"

namespace shakedown {

/// Fills D with what no product gives: NaNs, or in int32 a number far below any sum.
void poison_result(DataType type, std::byte* d, std::size_t bytes);

/// Compares `samples` elements of D (the corners first, then random ones) with sums in long double over the very
/// inputs. Integers must agree; floats may be off by what rounding causes in all but one of millions of cases: a random
/// walk over k roundings of the partial sums (Higham and Mary, 2019), and one rounding into D.
GemmVerification check_samples(const HostProduct& product, const HostTypes& types, const GemmShape& shape,
                               const OperandPointers& operands, int samples, std::uint64_t seed);

}  // namespace shakedown
