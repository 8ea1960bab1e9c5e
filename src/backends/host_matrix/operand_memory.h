// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "shakedown/base/units.h"

namespace shakedown {

/// Memory that holds a block of values over and over, and grows where it lies. A library's own order of an operand is
/// a permutation of the plain one, so one stretch of random values serves every shape, place and order alike, and a
/// shape costs no filling. What is at an offset depends on the block alone, not on who asked before.
class OperandMemory {
 public:
  /// Reserves addresses, no memory. An empty block leaves zeros. Both `block` and `cpus` must outlive this. Throws
  /// Error with the bytes asked for.
  OperandMemory(Bytes most, const std::vector<std::byte>& block, const std::vector<int>& cpus);
  OperandMemory(const OperandMemory&) = delete;
  OperandMemory& operator=(const OperandMemory&) = delete;
  ~OperandMemory();

  /// Makes the first `size` bytes usable, filled by all cores at once, so that pages lie near all of them. Throws Error
  /// when the memory can't be had.
  void grow_to(std::size_t size);
  [[nodiscard]] std::size_t size() const { return size_; }
  /// Page-aligned, and the same for as long as it lives.
  [[nodiscard]] std::byte* data() const { return data_; }

 private:
  std::size_t mapped_{};
  std::byte* data_{};
  std::size_t size_{};
  const std::vector<std::byte>& block_;
  const std::vector<int>& cpus_;
};

/// Writes the block over and over to [from, to) of `data`, where offset 0 of `data` is the start of a block.
void fill_repeated(std::byte* data, std::size_t from, std::size_t to, const std::vector<std::byte>& block);

}  // namespace shakedown
