// SPDX-License-Identifier: Apache-2.0
#include "report/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace shakedown {

std::string painted(std::string_view text, Ink ink, bool color) {
  const char* code = "";
  switch (ink) {
    case Ink::plain:
      break;
    case Ink::bold:
      code = "1";
      break;
    case Ink::good:
      code = "32";
      break;
    case Ink::caution:
      code = "33";
      break;
    case Ink::bad:
      code = "1;31";
      break;
  }
  if (!color || ink == Ink::plain) return std::string{text};
  return fmt::format("\x1b[{}m{}\x1b[0m", code, text);
}

std::string one_line(std::string_view text) {
  std::string line{text};
  std::replace_if(
      line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
  return line;
}

std::size_t width_of(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u; }));
}

std::string wrapped(std::string_view text, int columns, std::string_view indent) {
  const auto limit = static_cast<std::size_t>(std::max(columns, 40));
  std::string out;
  std::size_t used = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (used > 0 && used + 1 + width_of(word) > limit) {
      out += '\n';
      out += indent;
      used = indent.size();
    } else if (used > 0) {
      out += ' ';
      ++used;
    }
    out += word;
    used += width_of(word);
  }
  return out + '\n';
}

std::string counted(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string format_time(double seconds) {
  if (!std::isfinite(seconds)) return "n/a";
  // A unit ends where two decimals would round up to a thousand of it.
  constexpr double thousand = 999.995;
  if (seconds * 1e9 < thousand) return fmt::format("{:.2f} ns", seconds * 1e9);
  if (seconds * 1e6 < thousand) return fmt::format("{:.2f} us", seconds * 1e6);
  if (seconds * 1e3 < thousand) return fmt::format("{:.2f} ms", seconds * 1e3);
  return fmt::format("{:.2f} s", seconds);
}

std::string format_bandwidth(BytesPerSecond bandwidth, int decimals) {
  const double shown = bandwidth.value / 1e9;
  if (!std::isfinite(shown)) return "n/a";
  const double least = std::pow(10.0, -decimals);
  if (shown > 0 && shown < least / 2) return fmt::format("<{:.{}f}", least, decimals);
  return fmt::format("{:.{}f}", shown, decimals);
}

}  // namespace shakedown
