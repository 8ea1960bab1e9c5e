// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "backends/host_matrix/host_product.h"

namespace shakedown {

/// cblas_dgemm or cblas_sgemm, on column-major matrices as BLAS has them.
class BlasProduct final : public HostProduct {
 public:
  BlasProduct(const GemmKind& kind, const GemmShape& shape);
  [[nodiscard]] const std::string& algorithm() const override { return algorithm_; }
  [[nodiscard]] OperandOrder a_order() const override { return {shape_.m * shape_.k * element_, false}; }
  [[nodiscard]] OperandOrder b_order() const override { return {shape_.k * shape_.n * element_, false}; }
  [[nodiscard]] std::size_t d_bytes() const override { return shape_.m * shape_.n * element_; }
  [[nodiscard]] std::size_t a_index(std::uint64_t row, std::uint64_t column) const override;
  [[nodiscard]] std::size_t b_index(std::uint64_t row, std::uint64_t column) const override;
  [[nodiscard]] std::size_t d_index(std::uint64_t row, std::uint64_t column) const override;
  void set_places(const std::vector<OperandPointers>& places) override { places_ = places; }
  void multiply(std::size_t place) override;

 private:
  bool is_double_;
  bool is_a_transposed_, is_b_transposed_;
  GemmShape shape_;
  std::size_t element_;
  std::string algorithm_;
  std::vector<OperandPointers> places_;
};

}  // namespace shakedown
