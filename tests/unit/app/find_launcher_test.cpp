// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "shakedown/app/relaunch.h"
#include "shakedown/base/error.h"
#include "support/temporary_directory.h"

namespace shakedown {
namespace {

using testing::TemporaryDirectory;
using testing::write_file;

void put_program(const std::string& path, const std::string& script) {
  write_file(path, "#!/bin/sh\n" + script + "\n");
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

EnvLookup with_path(std::string path) {
  return
      [path = std::move(path)](const std::string& name) { return name == "PATH" ? std::optional{path} : std::nullopt; };
}

std::string refusal_of(const std::string& path) {
  try {
    find_open_mpi_launcher(with_path(path));
  } catch (const Unavailable& error) {
    return error.what();
  }
  return {};
}

TEST(FindLauncher, TakesOpenMpisMpirunFromPath) {
  const TemporaryDirectory directory;
  std::filesystem::create_directories(directory / "empty");
  put_program(directory / "bin/mpirun", "echo 'mpirun (Open MPI) 5.0.3'");
  EXPECT_EQ(find_open_mpi_launcher(with_path(directory / "empty:" + (directory / "bin"))), directory / "bin/mpirun");
}

TEST(FindLauncher, PassesOverWhatIsNoProgram) {
  const TemporaryDirectory directory;
  std::filesystem::create_directories(directory / "a/mpirun");
  write_file(directory / "b/mpirun", "no program");
  put_program(directory / "c/mpirun", "echo 'mpirun (Open MPI) 4.1.4'");
  EXPECT_EQ(find_open_mpi_launcher(with_path((directory / "a") + ":" + (directory / "b") + ":" + (directory / "c"))),
            directory / "c/mpirun");
}

TEST(FindLauncher, PrefersDebiansOpenMpiToAnotherMpirun) {
  const TemporaryDirectory directory;
  put_program(directory / "bin/mpirun", "echo 'HYDRA build details:'");
  put_program(directory / "bin/mpirun.openmpi", "echo 'mpirun.openmpi (OpenRTE) 4.1.2'");
  EXPECT_EQ(find_open_mpi_launcher(with_path(directory / "bin")), directory / "bin/mpirun.openmpi");
}

TEST(FindLauncher, RefusesAnotherMpiByName) {
  const TemporaryDirectory directory;
  put_program(directory / "bin/mpirun", "echo 'Intel(R) MPI Library for Linux* OS, Version 2021.11'; exit 1");
  const std::string message = refusal_of(directory / "bin");
  EXPECT_NE(message.find("is Intel MPI"), std::string::npos) << message;
  EXPECT_NE(message.find(directory / "bin/mpirun"), std::string::npos) << message;
}

TEST(FindLauncher, SaysHowToGetOneWhereThereIsNone) {
  const std::string message = refusal_of("/nonexistent");
  EXPECT_NE(message.find("apt-get install openmpi-bin"), std::string::npos) << message;
}

TEST(NameMpi, KnowsThePeers) {
  EXPECT_EQ(name_mpi("mpirun (Open MPI) 4.1.4\n\nReport bugs to"), "Open MPI");
  EXPECT_EQ(name_mpi("mpirun (IBM Spectrum MPI) 10.3.1.2rtm0"), "IBM Spectrum MPI");
  EXPECT_EQ(name_mpi("Intel(R) MPI Library for Linux* OS, Version 2021.9"), "Intel MPI");
  EXPECT_EQ(name_mpi("HYDRA build details:\n    Version: 4.0.2"), "MPICH or MVAPICH (Hydra)");
  EXPECT_EQ(name_mpi(""), "an MPI that does not tell its version");
  EXPECT_NE(name_mpi("SuperMPI 3\nmore").find("\"SuperMPI 3\""), std::string::npos);
}

}  // namespace
}  // namespace shakedown
