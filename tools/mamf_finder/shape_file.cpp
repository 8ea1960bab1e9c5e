// SPDX-License-Identifier: Apache-2.0
#include "shape_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "option_values.h"
#include "shakedown/base/error.h"

namespace shakedown {
namespace {

constexpr std::uint64_t largest_dimension = std::uint64_t{1} << 40;
constexpr double most_times = 1e12;

bool is_number(const std::string& word) {
  return !word.empty() && word.find_first_not_of("0123456789.") == std::string::npos;
}

/// The words of a line, its comment left out. "1024x1024x1024" is three.
std::vector<std::string> words_of(std::string line) {
  line.resize(std::min(line.size(), line.find('#')));
  std::replace(line.begin(), line.end(), ',', ' ');
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) {
    const bool first = words.empty();
    if (first && word.find_first_not_of("0123456789xX") == std::string::npos)
      std::replace_if(
          word.begin(), word.end(), [](char letter) { return letter == 'x' || letter == 'X'; }, ' ');
    std::istringstream parts(first ? word : std::string());
    if (!first) words.push_back(word);
    for (std::string part; parts >> part;) words.push_back(part);
  }
  return words;
}

bool is_heading(const std::vector<std::string>& words) {
  return words.size() >= 3 && (words[0] == "m" || words[0] == "M") && (words[1] == "n" || words[1] == "N") &&
         (words[2] == "k" || words[2] == "K");
}

NamedGemm parse_line(const std::vector<std::string>& words, const std::string& where) {
  if (words.size() < 3)
    throw UsageError(
        fmt::format("{}: '{}' is no shape; a line is m n k [count] [name], or MxNxK", where, fmt::join(words, " ")));
  const auto number = [&](std::size_t i, const char* name) {
    return parse_large_count(words[i], fmt::format("{}: {}", where, name), 1, largest_dimension);
  };
  NamedGemm gemm{.name = "", .shape = {.m = number(0, "m"), .n = number(1, "n"), .k = number(2, "k")}, .count = 1};
  std::size_t next = 3;
  if (words.size() > next && is_number(words[next])) {
    gemm.count = parse_number(words[next++], where + ": count", 0, most_times);
    if (gemm.count == 0) throw UsageError(fmt::format("{}: count: 0 times is nothing to measure", where));
  }
  for (; next < words.size(); ++next) gemm.name += (gemm.name.empty() ? "" : " ") + words[next];
  if (gemm.name.empty()) gemm.name = format_shape(gemm.shape);
  return gemm;
}

}  // namespace

std::vector<NamedGemm> parse_shapes(const std::string& text, const std::string& path) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start != std::string::npos && (text[start] == '[' || text[start] == '{'))
    throw UsageError(fmt::format("--shapes: {} is JSON; give lines of m n k [count] [name]", path));
  std::vector<NamedGemm> gemms;
  std::istringstream stream(text);
  int line_number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++line_number;
    const std::vector<std::string> words = words_of(line);
    if (words.empty() || (gemms.empty() && is_heading(words))) continue;
    gemms.push_back(parse_line(words, fmt::format("--shapes: {}, line {}", path, line_number)));
  }
  if (gemms.empty()) throw UsageError(fmt::format("--shapes: {} holds no shape", path));
  return gemms;
}

std::vector<NamedGemm> read_shapes(const std::string& path) { return parse_shapes(read_file(path, "--shapes"), path); }

std::string read_file(const std::string& path, const std::string& option) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  if (file) text << file.rdbuf();
  // An empty file sets failbit on the stream that takes it.
  if (!file.is_open() || file.bad() || (text.fail() && errno != 0))
    throw UsageError(fmt::format("{}: {} can't be read: {}", option, path, std::strerror(errno)));
  return text.str();
}

}  // namespace shakedown
