// SPDX-License-Identifier: Apache-2.0
#include "shakedown/base/size_text.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <optional>

#include "shakedown/base/error.h"

namespace shakedown {
namespace {

constexpr std::uint64_t largest_size = std::numeric_limits<std::int64_t>::max();

constexpr std::uint64_t power(std::uint64_t base, int exponent) {
  return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view take_digits(std::string_view& text) {
  std::size_t length = 0;
  while (length < text.size() && is_digit(text[length])) ++length;
  const std::string_view digits = text.substr(0, length);
  text.remove_prefix(length);
  return digits;
}

std::optional<std::uint64_t> unit_of(std::string_view suffix) {
  std::string upper;
  for (const char c : suffix) upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  if (upper.empty() || upper == "B") return 1;
  constexpr std::string_view letters = "KMGT";
  const std::size_t position = letters.find(upper.front());
  if (position == std::string_view::npos) return std::nullopt;
  const int exponent = static_cast<int>(position) + 1;
  const std::string rest = upper.substr(1);
  if (rest.empty() || rest == "IB") return power(1024, exponent);
  if (rest == "B") return power(1000, exponent);
  return std::nullopt;
}

/// whole times unit; nothing from 2^63 on.
std::optional<std::uint64_t> scale_whole(std::string_view digits, std::uint64_t unit) {
  const std::uint64_t limit = largest_size / unit;
  std::uint64_t whole = 0;
  for (const char c : digits) {
    const auto digit = static_cast<std::uint64_t>(c - '0');
    if (whole > limit / 10 || whole * 10 > limit - digit) return std::nullopt;
    whole = whole * 10 + digit;
  }
  return whole * unit;
}

/// 0.digits times unit; nothing when that is not a whole number. Long multiplication from the last digit on, so that no
/// number of digits is rounded: each digit of the product behind the point must be 0, and the carry is what stands
/// before it.
std::optional<std::uint64_t> scale_fraction(std::string_view digits, std::uint64_t unit) {
  std::uint64_t carry = 0;
  for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit) {
    carry += static_cast<std::uint64_t>(*digit - '0') * unit;
    if (carry % 10 != 0) return std::nullopt;
    carry /= 10;
  }
  return carry;
}

[[noreturn]] void refuse(std::string_view text, std::string_view what, std::string_view why) {
  throw UsageError(
      fmt::format("{}: '{}' {}; give a number of bytes such as 1048576, or 64K, 1.5G, 32KiB (powers of 1024), 1GB "
                  "(powers of 1000)",
                  what, text, why));
}

}  // namespace

Bytes parse_size(std::string_view text, std::string_view what) {
  std::string_view rest = text;
  const std::string_view whole_digits = take_digits(rest);
  if (whole_digits.empty()) refuse(text, what, "is not a size");
  std::string_view fraction_digits;
  if (!rest.empty() && rest.front() == '.') {
    rest.remove_prefix(1);
    fraction_digits = take_digits(rest);
    if (fraction_digits.empty()) refuse(text, what, "is not a size");
  }
  const std::optional<std::uint64_t> unit = unit_of(rest);
  if (!unit) refuse(text, what, fmt::format("is not a size (what does '{}' mean?)", rest));
  const std::optional<std::uint64_t> fraction = scale_fraction(fraction_digits, *unit);
  if (!fraction) refuse(text, what, "is not a whole number of bytes");
  const std::optional<std::uint64_t> whole = scale_whole(whole_digits, *unit);
  if (!whole || *whole > largest_size - *fraction) refuse(text, what, "is too large (sizes stay below 2^63 bytes)");
  return Bytes{*whole + *fraction};
}

std::string format_size(Bytes size) {
  constexpr std::array<const char*, 4> names{"TiB", "GiB", "MiB", "KiB"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    const std::uint64_t unit = power(1024, static_cast<int>(names.size() - i));
    const std::uint64_t whole = size.count / unit;
    const std::uint64_t hundredths = size.count % unit * 100;
    if (whole == 0 || hundredths % unit != 0) continue;
    const std::uint64_t decimals = hundredths / unit;
    if (decimals == 0) return fmt::format("{} {}", whole, names[i]);
    if (decimals % 10 == 0) return fmt::format("{}.{} {}", whole, decimals / 10, names[i]);
    return fmt::format("{}.{:02} {}", whole, decimals, names[i]);
  }
  return fmt::format("{} B", size.count);
}

std::string approximate_size(Bytes size) {
  constexpr std::array units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double amount = static_cast<double>(size.count);
  std::size_t unit = 0;
  for (; amount >= 1024 && unit + 1 < units.size(); ++unit) amount /= 1024;
  const std::string text = fmt::format("{:.1f}", amount);
  return fmt::format("{} {}", text.substr(0, text.find(".0")), units[unit]);
}

}  // namespace shakedown
