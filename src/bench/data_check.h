// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "shakedown/comm/communicator.h"
#include "shakedown/comm/session.h"
#include "shakedown/device/device.h"
#include "shakedown/model/collective_report.h"

namespace shakedown {

/// Known values before the calls, and a comparison of every element on every rank after them.
class DataCheck {
 public:
  /// Of `count` elements of each buffer, all places that calls rotate over together.
  DataCheck(Session& session, Device& device, DataType type, std::uint64_t count);

  /// This rank's contribution.
  void fill_input(Buffer& buffer) const;
  void clear(Buffer& buffer) const;
  /// Not-a-number everywhere, so that an element that no call wrote is a wrong one.
  void poison(Buffer& buffer) const;
  /// Compares the first `count` elements on all ranks, adds to row.wrong and keeps the first wrong element; the same
  /// row on every rank.
  void verify(const Buffer& buffer, std::uint64_t count, const RunContext& context, const std::string& when,
              CollectiveRow& row) const;

 private:
  Session& session_;
  Device& device_;
  DataType type_;
  std::uint64_t count_;
  CheckPattern pattern_;
};

}  // namespace shakedown
