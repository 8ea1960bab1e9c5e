// SPDX-License-Identifier: Apache-2.0
#include "backends/open_module.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <sched.h>

#include <system_error>

namespace shakedown {
namespace {

std::string last_loader_error() {
  const char* text = dlerror();
  return text == nullptr ? "the loader gave no reason" : text;
}

/// OpenMP's library binds the thread that loads it to one core when OMP_PROC_BIND or the like is set; this thread, and
/// all that it starts later, keeps the cores that it had.
class KeptAffinity {
 public:
  KeptAffinity() : known_(::sched_getaffinity(0, sizeof set_, &set_) == 0) {}
  KeptAffinity(const KeptAffinity&) = delete;
  KeptAffinity& operator=(const KeptAffinity&) = delete;
  ~KeptAffinity() {
    if (known_) ::sched_setaffinity(0, sizeof set_, &set_);
  }

 private:
  cpu_set_t set_{};
  bool known_;
};

}  // namespace

OpenedModule open_module(const std::filesystem::path& file, const std::string& entry, const ModuleWords& words) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) {
    return {nullptr, fmt::format("this build has no {} ({} is not there)", words.name, file.string())};
  }
  const KeptAffinity kept;
  // Local, so that the libraries of one module never replace those of another.
  void* module = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) {
    return {nullptr, fmt::format("the {} could not be opened: {}; {}", words.name, last_loader_error(), words.remedy)};
  }
  void* found = dlsym(module, entry.c_str());
  if (found == nullptr) {
    return {nullptr, fmt::format("the {} is of another version than this tool: {}; install both from one package",
                                 words.name, last_loader_error())};
  }
  return {found, {}};
}

}  // namespace shakedown
