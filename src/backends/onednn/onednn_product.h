// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dnnl.hpp>
#include <string>
#include <unordered_map>
#include <vector>

#include "backends/host_matrix/host_product.h"
#include "backends/onednn/onednn_api.h"

namespace shakedown {

/// oneDNN's matmul with all three matrices in the order that it likes best.
class OneDnnProduct final : public HostProduct {
 public:
  /// Throws dnnl::error.
  OneDnnProduct(const dnnl::engine& engine, const dnnl::stream& stream, const HostTypes& types, const GemmShape& shape);
  [[nodiscard]] const std::string& algorithm() const override { return algorithm_; }
  [[nodiscard]] OperandOrder a_order() const override;
  [[nodiscard]] OperandOrder b_order() const override;
  [[nodiscard]] std::size_t d_bytes() const override { return description_.dst_desc().get_size(); }
  [[nodiscard]] std::size_t a_index(std::uint64_t row, std::uint64_t column) const override {
    return a_.index(row, column);
  }
  [[nodiscard]] std::size_t b_index(std::uint64_t row, std::uint64_t column) const override {
    return b_.index(row, column);
  }
  [[nodiscard]] std::size_t d_index(std::uint64_t row, std::uint64_t column) const override {
    return d_.index(row, column);
  }
  void set_places(const std::vector<OperandPointers>& places) override;
  void multiply(std::size_t place) override;

 private:
  GemmShape shape_;
  HostTypes types_;
  dnnl::engine engine_;
  dnnl::stream stream_;
  dnnl::matmul::primitive_desc description_;
  dnnl::matmul primitive_;
  BlockedOrder a_, b_, d_;
  std::string algorithm_;
  std::vector<std::unordered_map<int, dnnl::memory>> arguments_;
};

/// oneDNN's own name for an element type; undef for those that it has not.
dnnl::memory::data_type onednn_type(DataType type);

/// What oneDNN makes of this product; throws dnnl::error with its words when it has none.
dnnl::matmul::primitive_desc describe_product(const dnnl::engine& engine, const HostTypes& types,
                                              const GemmShape& shape);

}  // namespace shakedown
