// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <dnnl.hpp>
#include <string>
#include <vector>

namespace shakedown {

/// A matrix's order in memory: blocks within blocks, the innermost last.
struct BlockedOrder {
  /// One of the innermost blocks: how many elements of which dimension.
  struct Block {
    std::size_t dimension, size;
  };
  std::array<std::size_t, 2> strides{};  ///< in elements, between blocks
  std::vector<Block> blocks;

  /// Elements from the start to (row, column).
  [[nodiscard]] std::size_t index(std::size_t row, std::size_t column) const;
};

/// The only file that differs between the interfaces of oneDNN 2 and 3.

/// A product in orders that the library chooses; float32 in full precision whatever the environment says. Throws
/// dnnl::error.
dnnl::matmul::primitive_desc describe_product(const dnnl::engine& engine, const dnnl::memory::desc& a,
                                              const dnnl::memory::desc& b, const dnnl::memory::desc& d);

/// Throws dnnl::error when the order is none of blocks, or carries more than the elements.
BlockedOrder order_of(const dnnl::memory::desc& matrix);

/// "avx512_core_amx": the instruction set that the library uses, after ONEDNN_MAX_CPU_ISA.
std::string instruction_set();

/// Whether it multiplies bfloat16 with instructions made for it.
bool has_bfloat16_instructions();

/// "2.6.3", of the library that runs.
std::string onednn_version();

}  // namespace shakedown
