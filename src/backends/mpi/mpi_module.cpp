// SPDX-License-Identifier: Apache-2.0
#include <mpi.h>

#include <algorithm>
#include <string>

#include "backends/entry_points.h"
#include "backends/mpi/mpi_communicator.h"
#include "backends/mpi/mpi_session.h"
#include "shakedown/backends/module.h"

namespace shakedown {
namespace {

/// Open MPI, or another MPI of the same interface, behind the module's port.
class OpenMpiModule final : public MpiModule {
 public:
  std::unique_ptr<Session> open_session(StageBoard& board) override { return std::make_unique<MpiSession>(board); }

  std::unique_ptr<Communicator> make_communicator(Session& /*an MpiSession: MPI has one world*/) override {
    return std::make_unique<MpiCommunicator>();
  }

  [[nodiscard]] NamedValues versions() const override {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(text, &length);
    std::string version(text, static_cast<std::size_t>(length));
    // "Open MPI v4.1.4, package: ..., ident: ..." : the first part names it.
    version.resize(std::min(version.size(), version.find_first_of(",\n")));
    return {{"mpi", version}};
  }
};

}  // namespace
}  // namespace shakedown

extern "C" __attribute__((visibility("default"))) shakedown::MpiModule* shakedown_mpi_module_v1() {
  return new shakedown::OpenMpiModule;  // owned by the loader
}
