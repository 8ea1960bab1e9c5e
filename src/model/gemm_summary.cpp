// SPDX-License-Identifier: Apache-2.0
#include "shakedown/model/gemm_summary.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace shakedown {
namespace {

/// The results of one summary.
struct Group {
  GemmSummary summary;
  std::vector<const GemmResult*> results;
};

bool same_device(const std::optional<DeviceInfo>& a, const std::optional<DeviceInfo>& b) {
  if (!a || !b) return a.has_value() == b.has_value();
  return a->index == b->index && a->uuid == b->uuid;
}

bool belongs(const GemmResult& result, const GemmSummary& summary) {
  return result.kind == summary.kind && result.mode == summary.mode && result.host == summary.host &&
         same_device(result.device, summary.device);
}

/// Null when none is known.
const GemmPeak* peak_of(const GemmResult& result, const std::vector<BestGemm>& best) {
  const auto found = std::find_if(best.begin(), best.end(), [&](const BestGemm& entry) {
    return entry.kind == result.kind && entry.host == result.host && same_device(entry.device, result.device);
  });
  return found == best.end() ? nullptr : &found->peak;
}

/// A fast way to a wrong product is no result.
bool is_good(const GemmResult& result, const std::vector<BestGemm>& best) {
  if (result.status != RowStatus::ok || !result.verified.value_or(true)) return false;
  if (!std::isfinite(result.rate.mean) || !(result.rate.mean > 0)) return false;
  const GemmPeak* peak = peak_of(result, best);
  return peak == nullptr || peak->estimated || !peak->is_exceeded_by(result.rate.median, result.clock_mhz);
}

std::vector<Group> grouped(const std::vector<GemmResult>& results) {
  std::vector<Group> groups;
  for (const GemmResult& result : results) {
    auto group =
        std::find_if(groups.begin(), groups.end(), [&](const Group& other) { return belongs(result, other.summary); });
    if (group == groups.end()) {
      group = groups.insert(groups.end(), Group{});
      group->summary.kind = result.kind;
      group->summary.mode = result.mode;
      group->summary.device = result.device;
      group->summary.host = result.host;
    }
    group->results.push_back(&result);
  }
  return groups;
}

void keep_better(std::optional<BestShape>& best, double rate, const GemmShape& shape) {
  if (!best || rate > best->rate) best = BestShape{rate, shape};
}

/// A shape's last good result; whether it is not the first.
struct Measured {
  const GemmResult* last{};
  bool again{false};
};

void add_best(GemmSummary& summary, const std::vector<Measured>& measured) {
  const bool any_again =
      std::any_of(measured.begin(), measured.end(), [](const Measured& shape) { return shape.again; });
  for (const Measured& shape : measured) {
    if (any_again && !shape.again) continue;
    const GemmResult& result = *shape.last;
    keep_better(summary.mean, result.rate.mean, result.shape);
    keep_better(summary.median, result.rate.median, result.shape);
    keep_better(summary.max, result.rate.max, result.shape);
  }
}

void add_means(GemmSummary& summary, const std::vector<Measured>& measured) {
  if (measured.empty()) return;
  double sum = 0;
  double logarithms = 0;
  for (const Measured& shape : measured) {
    sum += shape.last->rate.mean;
    logarithms += std::log(shape.last->rate.mean);
  }
  const auto count = static_cast<double>(measured.size());
  summary.arithmetic_mean = sum / count;
  summary.geometric_mean = std::exp(logarithms / count);
}

GemmSummary summary_of(Group group, const std::vector<BestGemm>& best) {
  GemmSummary& summary = group.summary;
  std::vector<Measured> measured;
  std::map<GemmShape, std::size_t> places;
  for (const GemmResult* result : group.results) {
    if (!is_good(*result, best)) continue;
    const auto [place, is_new] = places.try_emplace(result->shape, measured.size());
    if (is_new)
      measured.push_back({result, false});
    else
      measured[place->second] = {result, true};
  }
  std::set<GemmShape> left_out;
  for (const GemmResult* result : group.results) {
    if (places.contains(result->shape) || !left_out.insert(result->shape).second) continue;
    ++(result->status == RowStatus::skipped ? summary.skipped : summary.failed);
  }
  summary.measured = measured.size();
  summary.tried = measured.size() + left_out.size();
  add_best(summary, measured);
  add_means(summary, measured);
  return std::move(summary);
}

}  // namespace

std::vector<GemmSummary> summaries_of(const GemmReport& report) {
  std::vector<GemmSummary> summaries;
  for (Group& group : grouped(report.results)) summaries.push_back(summary_of(std::move(group), report.best));
  return summaries;
}

std::uint64_t count_shapes(const std::vector<ScreenedShape>& screened) {
  std::set<GemmShape> shapes;
  for (const ScreenedShape& each : screened) shapes.insert(each.shape);
  return shapes.size();
}

}  // namespace shakedown
