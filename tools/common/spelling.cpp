// SPDX-License-Identifier: Apache-2.0
#include "spelling.h"

#include <algorithm>
#include <cctype>
#include <numeric>

namespace shakedown {
namespace {

bool is_negative_number(const std::string& text) {
  return text.size() > 1 && text[0] == '-' &&
         (std::isdigit(static_cast<unsigned char>(text[1])) != 0 || text[1] == '.');
}

/// Insertions, deletions and replacements from one to the other.
std::size_t distance_of(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, replaced});
    }
  }
  return row[b.size()];
}

}  // namespace

std::vector<std::string> normalize_arguments(const std::vector<std::string>& arguments) {
  std::vector<std::string> result;
  for (std::string argument : arguments) {
    const bool after_option = !result.empty() && result.back().size() > 1 && result.back()[0] == '-' &&
                              result.back().find('=') == std::string::npos && !is_negative_number(result.back());
    if (is_negative_number(argument) && after_option) {
      result.back() += (result.back()[1] == '-' ? "=" : "") + argument;
      continue;
    }
    if (argument.rfind("--", 0) == 0) {
      const auto name_end =
          argument.begin() + static_cast<std::ptrdiff_t>(std::min(argument.find('='), argument.size()));
      std::replace(argument.begin(), name_end, '_', '-');
    }
    result.push_back(std::move(argument));
  }
  return result;
}

std::string nearest_name(const std::string& name, const std::vector<std::string>& known) {
  std::string best;
  std::size_t least = name.size() / 3 + 1;
  for (const std::string& candidate : known) {
    const std::size_t distance = distance_of(name, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace shakedown
