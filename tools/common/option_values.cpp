// SPDX-License-Identifier: Apache-2.0
#include "option_values.h"

#include <fmt/format.h>

#include <CLI/StringTools.hpp>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "shakedown/base/error.h"

namespace shakedown {
namespace {

template <class Number>
Number parse_whole(const std::string& text, const std::string& option, Number least, Number most) {
  Number value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, failure] = std::from_chars(text.data(), end, value);
  if (text.empty() || failure != std::errc{} || stop != end || value < least || value > most)
    throw UsageError(fmt::format("{}: '{}' is no whole number from {} to {}", option, text, least, most));
  return value;
}

}  // namespace

int parse_count(const std::string& text, const std::string& option, int least, int most) {
  return parse_whole(text, option, least, most);
}

std::uint64_t parse_large_count(const std::string& text, const std::string& option, std::uint64_t least,
                                std::uint64_t most) {
  return parse_whole(text, option, least, most);
}

double parse_number(const std::string& text, const std::string& option, double least, double most) {
  // strtod alone would take "nan", "inf", "0x10" and leading blanks.
  const bool plain = !text.empty() && text.find_first_not_of("0123456789.eE+-") == std::string::npos;
  char* stop = nullptr;
  const double value = plain ? std::strtod(text.c_str(), &stop) : 0;
  if (!plain || *stop != '\0' || !std::isfinite(value) || value < least || value > most)
    throw UsageError(fmt::format("{}: '{}' is no number from {:g} to {:g}", option, text, least, most));
  return value;
}

std::vector<std::string> split_list(const std::string& text) {
  std::vector<std::string> words = CLI::detail::split(text, ',');
  for (std::string& word : words) CLI::detail::trim(word);
  return words;
}

}  // namespace shakedown
