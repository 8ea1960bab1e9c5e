// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "backends/host_matrix/operand_memory.h"
#include "shakedown/base/dtype.h"
#include "shakedown/base/gemm_kind.h"
#include "shakedown/gemm/matrix_engine.h"

namespace shakedown {

/// Element types of A, B and D.
struct HostTypes {
  DataType a, b, d;
};

/// One operand in the library's own order.
struct OperandOrder {
  std::size_t bytes{};  ///< with what pads it
  bool is_padded{};     ///< holds elements beyond the matrix, which must be zero
};

/// Where the operands of a call lie.
struct OperandPointers {
  std::byte* a{};
  std::byte* b{};
  std::byte* d{};
};

/// A product as a library computes it: what an adapter of a CPU library has to write.
class HostProduct {
 public:
  virtual ~HostProduct() = default;
  [[nodiscard]] virtual const std::string& algorithm() const = 0;
  [[nodiscard]] virtual OperandOrder a_order() const = 0;
  [[nodiscard]] virtual OperandOrder b_order() const = 0;
  [[nodiscard]] virtual std::size_t d_bytes() const = 0;
  /// Elements from the start of the operand to A(row, column) ...
  [[nodiscard]] virtual std::size_t a_index(std::uint64_t row, std::uint64_t column) const = 0;
  [[nodiscard]] virtual std::size_t b_index(std::uint64_t row, std::uint64_t column) const = 0;
  [[nodiscard]] virtual std::size_t d_index(std::uint64_t row, std::uint64_t column) const = 0;
  /// The places that multiply() is called with, by their index. Sets to zero what pads A and B in each.
  virtual void set_places(const std::vector<OperandPointers>& places) = 0;
  /// Computes D = A B; back when it is done. Throws Error with the library's own words.
  virtual void multiply(std::size_t place) = 0;
};

/// A HostProduct with its memory, as the bench holds it.
class HostPrepared final : public PreparedGemm {
 public:
  HostPrepared(const GemmShape& shape, std::unique_ptr<HostProduct> product)
      : shape_(shape), product_(std::move(product)) {}
  [[nodiscard]] const GemmShape& shape() const override { return shape_; }
  [[nodiscard]] const std::string& algorithm() const override { return product_->algorithm(); }
  [[nodiscard]] int places() const override { return static_cast<int>(places_.size()); }

  [[nodiscard]] HostProduct& product() const { return *product_; }
  void set_places(std::vector<OperandPointers> places);
  /// Padded operands can't lie in what all shapes share.
  void keep(std::unique_ptr<OperandMemory> own) { own_.push_back(std::move(own)); }

  /// Runs one product on the next place in turn, and tells which.
  const OperandPointers& multiply_next();
  /// The place that multiply_next() takes.
  [[nodiscard]] const OperandPointers& next_place() const { return places_[next_]; }

 private:
  GemmShape shape_;
  std::vector<std::unique_ptr<OperandMemory>> own_;
  std::unique_ptr<HostProduct> product_;
  std::vector<OperandPointers> places_;
  std::size_t next_{};
};

}  // namespace shakedown
