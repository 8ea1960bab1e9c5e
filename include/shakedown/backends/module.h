// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "shakedown/base/stage_board.h"
#include "shakedown/comm/communicator.h"
#include "shakedown/comm/session.h"
#include "shakedown/device/device.h"
#include "shakedown/model/run_context.h"

namespace shakedown {

/// What the MPI module offers (src/backends/mpi).
class MpiModule {
 public:
  virtual ~MpiModule() = default;
  /// MPI_Init, and who shares this machine's memory. Beats the board; the board must outlive the session.
  virtual std::unique_ptr<Session> open_session(StageBoard& board) = 0;
  /// Collectives on host memory over a session that this module opened.
  virtual std::unique_ptr<Communicator> make_communicator(Session& session) = 0;
  /// "mpi": the library found at run time.
  [[nodiscard]] virtual NamedValues versions() const = 0;
};

/// What the GPU module offers (src/backends/cuda).
class CudaModule {
 public:
  virtual ~CudaModule() = default;
  /// GPUs that this process may use; zero, with the reason in words ("no NVIDIA driver", "CUDA_VISIBLE_DEVICES is
  /// empty").
  virtual int device_count(std::string& reason) = 0;
  virtual std::unique_ptr<Device> open_device(int index) = 0;
  /// Joins all ranks of the session; bounded by the board's limit. `device` is one that this module opened.
  virtual std::unique_ptr<Communicator> make_communicator(Session& session, Device& device, StageBoard& board) = 0;
  /// "driver", "cuda_driver", "cuda_runtime", "nccl", "nccl_path".
  [[nodiscard]] virtual NamedValues versions() const = 0;
};

/// A module that was opened, or why not.
template <class Module>
struct Loaded {
  std::shared_ptr<Module> module;  ///< empty when it could not be opened
  std::string reason;              ///< which library is missing, in the loader's words
};

/// Opens a module from ../lib/shakedown beside the running program (or from where the program lies in the build tree).
Loaded<MpiModule> load_mpi_module();
Loaded<CudaModule> load_cuda_module();

/// Host memory as a device. It works in the caller's thread, so it beats `board` (which may be null) as it goes.
std::unique_ptr<Device> make_cpu_device(int ranks_on_host, StageBoard* board = nullptr);

/// A session of one rank, without any library.
std::unique_ptr<Session> make_single_session();

/// Collectives of one rank: copies.
std::unique_ptr<Communicator> make_single_communicator();

}  // namespace shakedown
