// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace shakedown {

/// What golden/NAME.txt holds; first replaced by `text` when SHAKEDOWN_UPDATE_GOLDEN is set.
inline std::string golden_text(const std::string& name, const std::string& text) {
  const std::string path = std::string{GOLDEN_FOLDER} + "/" + name + ".txt";
  if (std::getenv("SHAKEDOWN_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << text;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream held;
  held << file.rdbuf();
  return held.str();
}

}  // namespace shakedown
