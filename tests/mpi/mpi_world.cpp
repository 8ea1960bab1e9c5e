// SPDX-License-Identifier: Apache-2.0
#include "mpi/mpi_world.h"

#include <gtest/gtest.h>

#include <cstdio>

namespace shakedown {

MpiWorld& mpi_world() {
  static MpiWorld world;
  return world;
}

}  // namespace shakedown

int main(int argc, char** argv) {
  using namespace shakedown;
  ::testing::InitGoogleTest(&argc, argv);
  MpiWorld& world = mpi_world();
  Loaded<MpiModule> loaded = load_mpi_module();
  if (!loaded.module) {
    std::fprintf(stderr, "%s\n", loaded.reason.c_str());
    return 1;
  }
  world.module = loaded.module;
  world.session = world.module->open_session(world.board);
  if (world.session->rank() != 0) {  // failures of other ranks reach rank 0 through the vote below
    auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
  }
  const bool failed = RUN_ALL_TESTS() != 0;
  if (failed) std::fprintf(stderr, "rank %d failed\n", world.session->rank());
  const bool any_failed = world.session->any(failed);
  world.session->close();
  return any_failed ? 1 : 0;
}
