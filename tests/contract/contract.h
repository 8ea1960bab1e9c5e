// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <ostream>
#include <string>

#include "shakedown/base/stage_board.h"
#include "shakedown/comm/communicator.h"
#include "shakedown/comm/session.h"
#include "shakedown/device/device.h"

namespace shakedown::testing {

/// Makes one implementation of a port; returns nothing, and says why, where this machine has none.
template <class Port>
struct Maker {
  std::string name;
  std::function<std::unique_ptr<Port>(std::string& why_not)> make;
};

template <class Port>
void PrintTo(const Maker<Port>& maker, std::ostream* out) {
  *out << maker.name;
}

/// The name of an instance in a test's name.
template <class Port>
std::string maker_name(const ::testing::TestParamInfo<Maker<Port>>& info) {
  return info.param.name;
}

/// Makes the port before each test, and skips with the reason where there is none.
template <class Port>
class Contract : public ::testing::TestWithParam<Maker<Port>> {
 protected:
  void SetUp() override {
    std::string why_not;
    port_ = this->GetParam().make(why_not);
    if (!port_) GTEST_SKIP() << why_not;
  }
  Port& port() { return *port_; }
  std::unique_ptr<Port> port_;
};

/// A rank with all that a collective needs; dies in the order in which a tool's objects do.
struct World {
  StageBoard board{Seconds{60}};
  std::unique_ptr<Session> session;
  std::unique_ptr<Device> device;
  std::unique_ptr<Communicator> communicator;
};

/// What every Device promises (device_contract.cpp).
class DeviceContract : public Contract<Device> {};
/// What every Session promises, with however many ranks run the suite (session_contract.cpp).
class SessionContract : public Contract<Session> {};
/// What every Communicator promises, with however many ranks run the suite (communicator_contract.cpp).
class CommunicatorContract : public Contract<World> {};

}  // namespace shakedown::testing
