// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backends/buffer_room.h"
#include "backends/cpu/host_memory.h"
#include "backends/element_codec.h"
#include "shakedown/backends/module.h"
#include "shakedown/base/error.h"
#include "shakedown/hw/memory.h"

namespace shakedown {
namespace {

/// "AMD EPYC 9554 64-Core Processor"; "CPU" where the kernel does not say (arm64).
std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.rfind("model name", 0) != 0) continue;
    const auto start = line.find_first_not_of(" \t", line.find(':') + 1);
    if (start != std::string::npos) return line.substr(start);
  }
  return "CPU";
}

Bytes installed_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page = sysconf(_SC_PAGESIZE);
  if (pages <= 0 || page <= 0) return {};
  return {static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page)};
}

/// The host's clock as time marks: work on the CPU is done when the call returns.
class HostTimeMarks final : public TimeMarks {
 public:
  explicit HostTimeMarks(std::size_t size) : marks_(size) {}
  void mark(std::size_t position) override { marks_.at(position) = std::chrono::steady_clock::now(); }
  std::vector<double> intervals(const WaitHooks& hooks) override {
    std::vector<double> result;
    for (std::size_t i = 1; i < marks_.size(); ++i) {
      result.push_back(Seconds(marks_[i] - marks_[i - 1]).count());
      if (hooks.on_each) hooks.on_each();
    }
    return result;
  }

 private:
  std::vector<std::chrono::steady_clock::time_point> marks_;
};

/// Elements between two beats: a fraction of a second, so that filling a large buffer is no silence.
constexpr std::uint64_t elements_a_beat = 1u << 24;

// Both loops are written to vectorize: a pattern of their own (bytes that are stored could alias a reference), 32-bit
// numbers where the type's known values fit, and no way out of the inner loop.

template <class Element>
void fill_with(typename Element::Bits* elements, std::uint64_t first, std::uint64_t end, CheckPattern pattern,
               std::uint32_t rank) {
  for (std::uint64_t i = first; i < end; ++i) elements[i] = Element::encode(pattern_contribution(pattern, rank, i));
}

template <class Element>
typename Element::Bits expected_at(const CheckPattern& pattern, std::uint64_t index) {
  if constexpr (Element::fits_in_32_bits)
    return Element::encode(pattern_scale(pattern, pattern_hash(index, pattern.seed)) *
                           static_cast<std::int32_t>(pattern.weight_sum));
  else
    return Element::encode(pattern_sum(pattern, index));
}

template <class Element>
void compare(const typename Element::Bits* elements, std::uint64_t first, std::uint64_t end, CheckPattern pattern,
             Mismatch& found) {
  constexpr std::uint64_t stretch = 4096;
  for (std::uint64_t from = first; from < end; from += stretch) {
    const std::uint64_t to = std::min(from + stretch, end);
    std::uint32_t wrong = 0;
    for (std::uint64_t i = from; i < to; ++i) wrong += elements[i] != expected_at<Element>(pattern, i) ? 1u : 0u;
    if (wrong > 0 && found.wrong == 0) {
      std::uint64_t i = from;
      while (elements[i] == expected_at<Element>(pattern, i)) ++i;
      found.first_index = i;
      found.got = Element::decode(elements[i]);
      found.expected = static_cast<double>(pattern_sum(pattern, i));
    }
    found.wrong += wrong;
  }
}

/// The host's memory behind the device port; all work is done when a call returns.
class CpuDevice final : public Device {
 public:
  CpuDevice(int ranks_on_host, StageBoard* board)
      : ranks_on_host_(static_cast<std::uint64_t>(std::max(1, ranks_on_host))), board_(board) {
    info_.name = cpu_name();
    info_.memory = installed_memory();
  }

  [[nodiscard]] const DeviceInfo& info() const override { return info_; }

  [[nodiscard]] Bytes free_memory() const override {
    const Bytes readable = available_host_memory();
    const Bytes available = readable.count > 0 ? readable : info_.memory;  // what can't be read is no shortage
    // One part in twenty stays for the system, which kills rather than refuses when memory runs out.
    return {(available.count - available.count / 20) / ranks_on_host_};
  }

  /// On the CPU the field (OSU, IMB, the Python original) calls on one buffer, and so do we: results stay comparable.
  [[nodiscard]] Bytes cache_to_leave() const override { return {}; }

  std::unique_ptr<Buffer> allocate(Bytes size) override { return std::make_unique<HostBuffer>(size); }

  void fill_contribution(Buffer& buffer, DataType type, std::uint64_t count, const CheckPattern& pattern,
                         int rank) override {
    require_room(buffer, type, count);
    with_element(type, [&](auto element) {
      using Element = decltype(element);
      auto* const elements = static_cast<typename Element::Bits*>(buffer.data());
      in_parts(count, [&](std::uint64_t first, std::uint64_t end) {
        fill_with<Element>(elements, first, end, pattern, static_cast<std::uint32_t>(rank));
      });
    });
  }

  void fill_bytes(Buffer& buffer, std::uint8_t value, Bytes size) override {
    require_room(buffer, size);
    std::memset(buffer.data(), value, size.count);
  }

  Mismatch check_sum(const Buffer& buffer, DataType type, std::uint64_t count, const CheckPattern& pattern) override {
    require_room(buffer, type, count);
    Mismatch found;
    with_element(type, [&](auto element) {
      using Element = decltype(element);
      const auto* const elements = static_cast<const typename Element::Bits*>(buffer.data());
      in_parts(count,
               [&](std::uint64_t first, std::uint64_t end) { compare<Element>(elements, first, end, pattern, found); });
    });
    return found;
  }

  void synchronize() override {}

  std::unique_ptr<TimeMarks> make_time_marks(std::size_t size) override {
    return std::make_unique<HostTimeMarks>(size);
  }

  [[nodiscard]] bool can_record() const override { return false; }

  std::unique_ptr<Recording> record(const std::function<void()>& /*work*/) override {
    throw Unavailable("record calls for graph timing: graph timing needs a GPU; use pipelined or blocking timing");
  }

 private:
  DeviceInfo info_;
  void in_parts(std::uint64_t count, const std::function<void(std::uint64_t first, std::uint64_t end)>& work) {
    for (std::uint64_t first = 0; first < count; first += elements_a_beat) {
      work(first, std::min(first + elements_a_beat, count));
      if (board_ != nullptr) board_->beat();
    }
  }

  std::uint64_t ranks_on_host_;
  StageBoard* board_;
};

}  // namespace

std::unique_ptr<Device> make_cpu_device(int ranks_on_host, StageBoard* board) {
  return std::make_unique<CpuDevice>(ranks_on_host, board);
}

}  // namespace shakedown
