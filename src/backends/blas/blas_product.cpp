// SPDX-License-Identifier: Apache-2.0
#include "backends/blas/blas_product.h"

#include <cblas.h>
#include <fmt/format.h>

namespace shakedown {
namespace {

/// One call of BLAS, whose two types differ in nothing but the name of the function.
template <class Element, class Function>
void call(Function function, const GemmShape& shape, bool is_a_transposed, bool is_b_transposed,
          const OperandPointers& place) {
  const auto m = static_cast<blasint>(shape.m);
  const auto n = static_cast<blasint>(shape.n);
  const auto k = static_cast<blasint>(shape.k);
  function(CblasColMajor, is_a_transposed ? CblasTrans : CblasNoTrans, is_b_transposed ? CblasTrans : CblasNoTrans, m,
           n, k, Element{1}, reinterpret_cast<const Element*>(place.a), is_a_transposed ? k : m,
           reinterpret_cast<const Element*>(place.b), is_b_transposed ? n : k, Element{0},
           reinterpret_cast<Element*>(place.d), m);
}

}  // namespace

BlasProduct::BlasProduct(const GemmKind& kind, const GemmShape& shape)
    : is_double_(kind.type == GemmType::float64),
      is_a_transposed_(kind.layout == GemmLayout::tn || kind.layout == GemmLayout::tt),
      is_b_transposed_(kind.layout == GemmLayout::nt || kind.layout == GemmLayout::tt),
      shape_(shape),
      element_(is_double_ ? sizeof(double) : sizeof(float)),
      algorithm_(fmt::format("{} ({})", is_double_ ? "dgemm" : "sgemm", openblas_get_corename())) {}

std::size_t BlasProduct::a_index(std::uint64_t row, std::uint64_t column) const {
  return is_a_transposed_ ? row * shape_.k + column : column * shape_.m + row;
}

std::size_t BlasProduct::b_index(std::uint64_t row, std::uint64_t column) const {
  return is_b_transposed_ ? row * shape_.n + column : column * shape_.k + row;
}

std::size_t BlasProduct::d_index(std::uint64_t row, std::uint64_t column) const { return column * shape_.m + row; }

void BlasProduct::multiply(std::size_t place) {
  if (is_double_) {
    call<double>(cblas_dgemm, shape_, is_a_transposed_, is_b_transposed_, places_[place]);
  } else {
    call<float>(cblas_sgemm, shape_, is_a_transposed_, is_b_transposed_, places_[place]);
  }
}

}  // namespace shakedown
