// SPDX-License-Identifier: Apache-2.0
#include "shakedown/math/shape_grid.h"

#include <fmt/format.h>

#include <string>
#include <unordered_set>

#include "shakedown/base/error.h"

namespace shakedown {
namespace {

constexpr std::uint64_t most_shapes = 1ull << 31;

[[noreturn]] void refuse(const DimensionRange& range, const char* option, const std::string& why) {
  throw UsageError(fmt::format("{} {} {} {}: {}", option, range.start, range.stop, range.step, why));
}

void keep_each_once(std::vector<std::uint64_t>& values) {
  std::unordered_set<std::uint64_t> seen;
  std::erase_if(values, [&](std::uint64_t value) { return !seen.insert(value).second; });
}

}  // namespace

std::vector<std::uint64_t> expand(const DimensionRange& range, const char* option) {
  if (range.step == 0) refuse(range, option, "a step of 0 never gets there; give start, stop and a step of at least 1");
  const std::uint64_t first = range.start == 0 ? range.step : range.start;
  if (first >= range.stop) {
    refuse(range, option,
           fmt::format("the range is empty: it would begin at {}, and the stop, {}, is excluded; give a greater stop",
                       first, range.stop));
  }
  const std::uint64_t count = (range.stop - first - 1) / range.step + 1;
  if (count > most_shapes) {
    refuse(range, option, fmt::format("that is {} numbers, and 2^31 are allowed; give a greater step", count));
  }
  std::vector<std::uint64_t> values;
  values.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) values.push_back(first + i * range.step);
  return values;
}

std::vector<GemmShape> shape_grid(std::vector<std::uint64_t> m, std::vector<std::uint64_t> n,
                                  std::vector<std::uint64_t> k) {
  for (std::vector<std::uint64_t>* side : {&m, &n, &k}) keep_each_once(*side);
  // Each side holds less than 2^61 values, yet their product may pass 64 bits; a double only rounds.
  const double count = static_cast<double>(m.size()) * static_cast<double>(n.size()) * static_cast<double>(k.size());
  if (count > static_cast<double>(most_shapes)) {
    throw UsageError(fmt::format(
        "the grid of {} m, {} n and {} k: that is {:.3g} shapes, and 2^31 are allowed; give fewer values or "
        "greater steps",
        m.size(), n.size(), k.size(), count));
  }
  std::vector<GemmShape> shapes;
  shapes.reserve(m.size() * n.size() * k.size());
  for (const std::uint64_t rows : m) {
    for (const std::uint64_t columns : n) {
      for (const std::uint64_t depth : k) shapes.push_back({rows, columns, depth});
    }
  }
  return shapes;
}

}  // namespace shakedown
