// SPDX-License-Identifier: Apache-2.0
#include "contract/contract.h"
#include "shakedown/backends/module.h"

namespace shakedown::testing {
namespace {

const Maker<Device> cpu_device{"Cpu", [](std::string&) { return make_cpu_device(1); }};
const Maker<Session> single_session{"Single", [](std::string&) { return make_single_session(); }};
const Maker<World> single_world{"Single", [](std::string&) {
                                  auto world = std::make_unique<World>();
                                  world->session = make_single_session();
                                  world->device = make_cpu_device(1);
                                  world->communicator = make_single_communicator();
                                  return world;
                                }};

INSTANTIATE_TEST_SUITE_P(Cpu, DeviceContract, ::testing::Values(cpu_device), maker_name<Device>);
INSTANTIATE_TEST_SUITE_P(Single, SessionContract, ::testing::Values(single_session), maker_name<Session>);
INSTANTIATE_TEST_SUITE_P(Single, CommunicatorContract, ::testing::Values(single_world), maker_name<World>);

}  // namespace
}  // namespace shakedown::testing
