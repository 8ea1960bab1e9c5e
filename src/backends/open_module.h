// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace shakedown {

/// How people call a module, and what they can do when it does not open.
struct ModuleWords {
  std::string name;    ///< "GPU module"
  std::string remedy;  ///< "install NCCL or add its folder to LD_LIBRARY_PATH"
};

/// A module's entry point, or why there is none.
struct OpenedModule {
  void* entry{};       ///< the function of that name; null when it could not be opened
  std::string reason;  ///< empty when it was opened
};

/// Opens `file` and looks `entry` up. Never throws: a module that is not there is an answer.
///
/// It is never closed again: its objects and their code may live until the process ends, and CUDA, NCCL and MPI leave
/// threads and exit handlers behind that would run unmapped code.
OpenedModule open_module(const std::filesystem::path& file, const std::string& entry, const ModuleWords& words);

}  // namespace shakedown
