// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "shakedown/base/device_info.h"
#include "shakedown/base/dtype.h"
#include "shakedown/base/units.h"
#include "shakedown/math/check_pattern.h"

namespace shakedown {

/// Memory on a device, given back when this dies.
class Buffer {
 public:
  virtual ~Buffer() = default;
  [[nodiscard]] virtual void* data() const = 0;
  [[nodiscard]] virtual Bytes size() const = 0;
};

/// What happens while somebody waits for marks; both may be empty.
struct WaitHooks {
  std::function<void()> on_each;        ///< as each interval is known, so that a long row is no silence
  std::function<void()> while_waiting;  ///< again and again; may throw, since a lost peer shows up nowhere else
};

/// Time stamps in the device's own order of work: after what was queued before, not when the host asked.
class TimeMarks {
 public:
  virtual ~TimeMarks() = default;
  /// Marks must be set in order, 0 to size-1.
  virtual void mark(std::size_t position) = 0;
  /// Waits for all marks, in order; seconds from mark i to mark i+1, for i = 0 .. size-2.
  virtual std::vector<double> intervals(const WaitHooks& hooks) = 0;
};

/// Work that was recorded once and runs again without the host's cost per call (a CUDA graph).
class Recording {
 public:
  virtual ~Recording() = default;
  virtual void replay() = 0;
};

/// What a comparison with known values found.
struct Mismatch {
  std::uint64_t wrong{};        ///< elements, counted in 64 bits
  std::uint64_t first_index{};  ///< of the first wrong one
  double got{};
  double expected{};
};

/// What an accelerator, or the host's memory, can do for a measurement. All work is in one order (one stream).
class Device {
 public:
  virtual ~Device() = default;
  [[nodiscard]] virtual const DeviceInfo& info() const = 0;
  /// What one process may take now, less a reserve.
  [[nodiscard]] virtual Bytes free_memory() const = 0;
  /// The last-level cache that calls must not live in, so that their buffers rotate; zero where they stay where they
  /// are.
  [[nodiscard]] virtual Bytes cache_to_leave() const = 0;
  /// Throws Error with the bytes asked for.
  virtual std::unique_ptr<Buffer> allocate(Bytes size) = 0;
  /// Each element i becomes rank's contribution of the pattern.
  virtual void fill_contribution(Buffer& buffer, DataType type, std::uint64_t count, const CheckPattern& pattern,
                                 int rank) = 0;
  /// Each byte becomes `value`: 0xFF poisons (a NaN in every float type), 0 clears.
  virtual void fill_bytes(Buffer& buffer, std::uint8_t value, Bytes size) = 0;
  /// Compares every element, bit for bit, with the pattern's sum; waits.
  virtual Mismatch check_sum(const Buffer& buffer, DataType type, std::uint64_t count, const CheckPattern& pattern) = 0;
  /// Waits until all queued work is done; throws Error on a device failure.
  virtual void synchronize() = 0;
  virtual std::unique_ptr<TimeMarks> make_time_marks(std::size_t size) = 0;
  [[nodiscard]] virtual bool can_record() const = 0;
  /// Records what `work` queues. Throws Unavailable where can_record() is false.
  virtual std::unique_ptr<Recording> record(const std::function<void()>& work) = 0;
};

}  // namespace shakedown
