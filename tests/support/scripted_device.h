// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "shakedown/device/device.h"

namespace shakedown {

/// A device whose memory is real (another device's) and whose time is a script: interval i of a row takes the i-th
/// number.
class ScriptedDevice final : public Device {
 public:
  ScriptedDevice(Device& memory, std::vector<double> script) : memory_(memory), script_(std::move(script)) {}

  [[nodiscard]] const DeviceInfo& info() const override { return memory_.info(); }
  [[nodiscard]] Bytes free_memory() const override { return memory_.free_memory(); }
  [[nodiscard]] Bytes cache_to_leave() const override { return cache; }
  std::unique_ptr<Buffer> allocate(Bytes size) override { return memory_.allocate(size); }
  void fill_contribution(Buffer& buffer, DataType type, std::uint64_t count, const CheckPattern& pattern,
                         int rank) override {
    memory_.fill_contribution(buffer, type, count, pattern, rank);
  }
  void fill_bytes(Buffer& buffer, std::uint8_t value, Bytes size) override { memory_.fill_bytes(buffer, value, size); }
  Mismatch check_sum(const Buffer& buffer, DataType type, std::uint64_t count, const CheckPattern& pattern) override {
    return memory_.check_sum(buffer, type, count, pattern);
  }
  void synchronize() override {}
  [[nodiscard]] bool can_record() const override { return false; }
  std::unique_ptr<Recording> record(const std::function<void()>& work) override { return memory_.record(work); }

  std::unique_ptr<TimeMarks> make_time_marks(std::size_t size) override {
    struct Marks final : TimeMarks {
      Marks(ScriptedDevice& owner, std::size_t size) : device(owner), count(size) {}
      void mark(std::size_t) override {}
      std::vector<double> intervals(const WaitHooks& hooks) override {
        std::vector<double> result;
        for (std::size_t i = 0; i + 1 < count; ++i) {
          result.push_back(device.script_[device.next_++ % device.script_.size()]);
          if (hooks.on_each) hooks.on_each();
        }
        return result;
      }
      ScriptedDevice& device;
      std::size_t count;
    };
    return std::make_unique<Marks>(*this, size);
  }

  Bytes cache;  ///< a test may give it one

 private:
  Device& memory_;
  std::vector<double> script_;
  std::size_t next_{0};
};

}  // namespace shakedown
