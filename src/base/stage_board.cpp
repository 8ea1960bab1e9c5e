// SPDX-License-Identifier: Apache-2.0
#include "shakedown/base/stage_board.h"

namespace shakedown {

const char* code_of(Stage stage) {
  switch (stage) {
    case Stage::starting:
      return "starting";
    case Stage::mpi_init:
      return "mpi_init";
    case Stage::gather_facts:
      return "facts";
    case Stage::open_device:
      return "device";
    case Stage::allocate:
      return "allocate";
    case Stage::fill:
      return "fill";
    case Stage::communicator:
      return "comm_init";
    case Stage::warm_up:
      return "warm_up";
    case Stage::timed_loop:
      return "timed_loop";
    case Stage::data_check:
      return "data_check";
    case Stage::vote:
      return "vote";
    case Stage::closing:
      return "closing";
    case Stage::done:
      return "done";
  }
  return "unknown";
}

const char* describe(Stage stage) {
  switch (stage) {
    case Stage::starting:
      return "starting";
    case Stage::mpi_init:
      return "inside MPI_Init";
    case Stage::gather_facts:
      return "telling each other who runs where";
    case Stage::open_device:
      return "opening the device";
    case Stage::allocate:
      return "allocating buffers";
    case Stage::fill:
      return "filling buffers with known values";
    case Stage::communicator:
      return "creating the communicator";
    case Stage::warm_up:
      return "in the warm-up calls";
    case Stage::timed_loop:
      return "in the timed calls";
    case Stage::data_check:
      return "checking the data";
    case Stage::vote:
      return "agreeing with the other ranks";
    case Stage::closing:
      return "closing down";
    case Stage::done:
      return "done";
  }
  return "in an unknown step";
}

}  // namespace shakedown
