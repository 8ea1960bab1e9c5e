// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "hw/accelerators.h"

namespace shakedown {
namespace {

bool has(const std::vector<std::string>& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_variant(const std::vector<std::string>& words) {
  for (const std::string_view word : {"ti", "super", "laptop", "mobile", "max", "d"}) {
    if (has(words, word)) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  for (const char c : name) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    if (is_upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      words.back() += is_upper ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

const Accelerator* find_accelerator(std::string_view name) {
  const std::vector<std::string> words = words_of(name);
  if (is_variant(words)) return nullptr;
  for (const Accelerator& product : accelerators()) {
    const bool matches = std::all_of(product.words.begin(), product.words.end(),
                                     [&](std::string_view word) { return word.empty() || has(words, word); });
    if (matches) return &product;
  }
  return nullptr;
}

std::optional<Architecture> architecture_of(int cc_major, int cc_minor, std::string_view name) {
  const std::vector<std::string> words = words_of(name);
  const bool is_geforce = has(words, "geforce") || has(words, "titan");
  using enum Architecture;
  switch (10 * cc_major + cc_minor) {
    case 70:
      return volta;
    case 75:
      return turing;
    case 80:
      return ampere;
    case 86:
      return is_geforce ? ampere_geforce : ampere_pro;
    case 89:
      return is_geforce ? ada_geforce : ada_pro;
    case 90:
      return hopper;
    case 100:
      return blackwell;
    case 103:
      return blackwell_ultra;
    case 120:
      return is_geforce ? rtx_blackwell_geforce : rtx_blackwell_pro;
    default:
      return std::nullopt;
  }
}

}  // namespace shakedown
