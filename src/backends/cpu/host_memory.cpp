// SPDX-License-Identifier: Apache-2.0
#include "backends/cpu/host_memory.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>

#include "shakedown/base/error.h"
#include "shakedown/base/size_text.h"

namespace shakedown {
namespace {

constexpr std::size_t huge_page = std::size_t{2} << 20;  ///< of x86-64, and of arm64 with 4 KiB pages

[[noreturn]] void fail(Bytes size, int reason) {
  throw Error(
      fmt::format("allocate {} ({} bytes) of host memory: {}; ask for smaller payloads or fewer ranks on this host",
                  format_size(size), size.count, std::strerror(reason)));
}

}  // namespace

HostBuffer::HostBuffer(Bytes size) : size_(size), mapped_(0), mapping_(nullptr), data_(nullptr) {
  if (size.count > std::numeric_limits<std::size_t>::max() / 2) fail(size, ENOMEM);
  const bool large = size.count >= huge_page;
  // A huge page of spare room, so that the start can be moved to a huge page's border.
  mapped_ = size.count + (large ? huge_page : 1);
  mapping_ = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping_ == MAP_FAILED) fail(size, errno);
  data_ = mapping_;
  if (!large) return;
  const std::uintptr_t start = reinterpret_cast<std::uintptr_t>(mapping_);
  data_ = static_cast<std::byte*>(mapping_) + (huge_page - start % huge_page) % huge_page;
  // Advice only: without huge pages the memory is as good, a little slower.
  madvise(data_, size.count, MADV_HUGEPAGE);
}

HostBuffer::~HostBuffer() { munmap(mapping_, mapped_); }

}  // namespace shakedown
