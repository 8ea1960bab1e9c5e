// SPDX-License-Identifier: Apache-2.0
#include "shakedown/hw/host.h"

#include <unistd.h>

#include <array>
#include <fstream>

namespace shakedown {

std::string host_name() {
  std::array<char, 256> name{};
  if (::gethostname(name.data(), name.size() - 1) != 0) return "unknown-host";
  return name.data();
}

std::string boot_id(const std::filesystem::path& root) {
  std::ifstream file{root / "proc/sys/kernel/random/boot_id"};
  std::string id;
  file >> id;
  return id;
}

}  // namespace shakedown
