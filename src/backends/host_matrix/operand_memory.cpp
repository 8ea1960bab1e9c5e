// SPDX-License-Identifier: Apache-2.0
#include "backends/host_matrix/operand_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "backends/host_matrix/host_threads.h"
#include "shakedown/base/error.h"
#include "shakedown/hw/memory.h"

namespace shakedown {
namespace {

// Huge pages, where the kernel has them, start and grow at their own size. Also the unit that goes round the cores.
constexpr std::size_t chunk = std::size_t{2} << 20;

constexpr std::size_t rounded_up(std::size_t size) { return (size + chunk - 1) / chunk * chunk; }

[[noreturn]] void refuse(std::size_t size, const std::string& what) {
  throw Error(fmt::format(
      "make operands of {} bytes: {}; measure smaller shapes, or raise the memory limit of this process", size, what));
}

}  // namespace

void fill_repeated(std::byte* data, std::size_t from, std::size_t to, const std::vector<std::byte>& block) {
  if (block.empty()) {
    std::memset(data + from, 0, to - from);
    return;
  }
  while (from < to) {
    const std::size_t phase = from % block.size();
    const std::size_t length = std::min(block.size() - phase, to - from);
    std::memcpy(data + from, block.data() + phase, length);
    from += length;
  }
}

OperandMemory::OperandMemory(Bytes most, const std::vector<std::byte>& block, const std::vector<int>& cpus)
    : block_(block), cpus_(cpus) {
  // Half of the address space is more than any machine has, and leaves room to round up.
  if (most.count > SIZE_MAX / 2) refuse(most.count, "no machine has as much");
  mapped_ = rounded_up(std::max<std::size_t>(most.count, 1)) + chunk;  // the chunk: to start at a huge page
  void* mapping = ::mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) refuse(most.count, std::strerror(errno));
  const auto address = reinterpret_cast<std::uintptr_t>(mapping);
  const std::size_t before = rounded_up(address) - address;
  data_ = static_cast<std::byte*>(mapping) + before;
  if (before > 0) ::munmap(mapping, before);
  mapped_ -= before;
  ::madvise(data_, mapped_, MADV_HUGEPAGE);
}

OperandMemory::~OperandMemory() { ::munmap(data_, mapped_); }

void OperandMemory::grow_to(std::size_t size) {
  if (size <= size_) return;
  const std::size_t end = rounded_up(size);
  if (end > mapped_) refuse(size, fmt::format("only {} bytes were set aside", mapped_));
  const Bytes available = available_host_memory();
  if (available.count > 0 && end - size_ > available.count) {
    refuse(end - size_, fmt::format("only {} bytes are available", available.count));
  }
  if (::mprotect(data_, end, PROT_READ | PROT_WRITE) != 0) refuse(size, std::strerror(errno));
  on_each_core(cpus_, [&](std::size_t core) {
    for (std::size_t at = size_ + core * chunk; at < end; at += cpus_.size() * chunk) {
      fill_repeated(data_, at, at + chunk, block_);
    }
  });
  size_ = end;
}

}  // namespace shakedown
