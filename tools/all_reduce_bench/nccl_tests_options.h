// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace shakedown {

/// An option of nccl-tests that all_reduce_bench does not offer: accepted where its value asks for what happens anyway,
/// else refused by name.
struct ForeignOption {
  char letter;
  std::string long_name;  ///< without the dashes, hyphens for underscores
  std::vector<std::string>
      neutral;  ///< values that ask for what happens anyway; empty strings allow none, "*" allows all
  std::string meaning;
  std::string ours;  ///< what to use here
};

const std::vector<ForeignOption>& foreign_options();

}  // namespace shakedown
