// SPDX-License-Identifier: Apache-2.0
#include "shakedown/math/sweep.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "shakedown/base/error.h"
#include "shakedown/base/size_text.h"

namespace shakedown {
namespace {

constexpr std::uint64_t most_sizes = 100'000;
constexpr std::uint64_t largest_size = std::numeric_limits<std::int64_t>::max();

[[noreturn]] void refuse(const SizeSweep& sweep, const std::string& why) {
  throw UsageError(
      fmt::format("payload sizes from {} to {}: {}", format_size(sweep.first), format_size(sweep.last), why));
}

[[noreturn]] void refuse_count(const SizeSweep& sweep, const std::string& how_many) {
  refuse(sweep,
         fmt::format(
             "that is {} sizes, and {} are allowed; take a greater factor or step (does it have its suffix, as in 2M?)",
             how_many, most_sizes));
}

std::vector<Bytes> by_step(const SizeSweep& sweep, std::uint64_t step) {
  if (step == 0) refuse(sweep, "a step of 0 never gets there; give a step of at least one byte");
  const std::uint64_t count = (sweep.last.count - sweep.first.count) / step + 1;
  if (count > most_sizes) refuse_count(sweep, fmt::format("{}", count));
  std::vector<Bytes> sizes;
  for (std::uint64_t i = 0; i < count; ++i) sizes.push_back(Bytes{sweep.first.count + i * step});
  return sizes;
}

/// The next size, rounded down to whole bytes; `largest_size` + 1 where it would pass that.
std::uint64_t grow(std::uint64_t size, double factor) {
  // x86's long double holds every size; where it is a mere double, sizes above 2^53 lose their last bits.
  const long double product = static_cast<long double>(size) * static_cast<long double>(factor);
  // 10 times 1.7 is 17, although the double next to 1.7 lies below it.
  const long double nearest = std::round(product);
  const bool is_whole = std::abs(product - nearest) <= product * std::numeric_limits<double>::epsilon();
  const long double next = is_whole ? nearest : std::floor(product);
  return next <= static_cast<long double>(largest_size) ? static_cast<std::uint64_t>(next) : largest_size + 1;
}

std::vector<Bytes> by_factor(const SizeSweep& sweep, double factor) {
  if (!std::isfinite(factor) || factor <= 1) {
    refuse(sweep, fmt::format("a factor of {} never gets there; give a factor above 1, such as 2", factor));
  }
  std::vector<Bytes> sizes{sweep.first};
  for (;;) {
    const std::uint64_t size = sizes.back().count;
    const std::uint64_t next = grow(size, factor);
    if (next == size && size < sweep.last.count) {
      refuse(sweep, fmt::format("a factor of {} does not get past {} in whole bytes; give a greater factor, or a step",
                                factor, format_size(Bytes{size})));
    }
    if (next > sweep.last.count || next > largest_size || next == size) return sizes;
    if (sizes.size() == most_sizes) refuse_count(sweep, fmt::format("more than {}", most_sizes));
    sizes.push_back(Bytes{next});
  }
}

}  // namespace

std::vector<Bytes> sizes_of(const SizeSweep& sweep) {
  if (sweep.last.count > largest_size) refuse(sweep, "sizes stay below 2^63 bytes");
  if (sweep.first > sweep.last) refuse(sweep, "the first is above the last; swap them");
  if (sweep.step) return by_step(sweep, sweep.step->count);
  if (sweep.factor) return by_factor(sweep, *sweep.factor);
  if (sweep.first == sweep.last) return {sweep.first};
  refuse(sweep, "nothing says how they grow; give a factor or a step");
}

}  // namespace shakedown
