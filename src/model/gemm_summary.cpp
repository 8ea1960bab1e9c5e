// SPDX-License-Identifier: Apache-2.0
#include "shakedown/model/gemm_summary.h"

#include <algorithm>
#include <cmath>
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

/// A fast way to a wrong product is no result.
bool is_good(const GemmResult& result) {
  return result.status == RowStatus::ok && result.verified.value_or(true) && std::isfinite(result.rate.mean) &&
         result.rate.mean > 0;
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

GemmSummary summary_of(Group group) {
  GemmSummary& summary = group.summary;
  double sum = 0;
  double logarithms = 0;
  std::set<GemmShape> measured;
  for (const GemmResult* result : group.results) {
    if (!is_good(*result) || !measured.insert(result->shape).second) continue;
    keep_better(summary.mean, result->rate.mean, result->shape);
    keep_better(summary.median, result->rate.median, result->shape);
    keep_better(summary.max, result->rate.max, result->shape);
    sum += result->rate.mean;
    logarithms += std::log(result->rate.mean);
  }
  std::set<GemmShape> others = measured;
  for (const GemmResult* result : group.results) {
    if (is_good(*result) || !others.insert(result->shape).second) continue;
    ++(result->status == RowStatus::skipped ? summary.skipped : summary.failed);
  }
  summary.measured = measured.size();
  summary.tried = others.size();
  if (summary.measured > 0) {
    const auto count = static_cast<double>(summary.measured);
    summary.arithmetic_mean = sum / count;
    summary.geometric_mean = std::exp(logarithms / count);
  }
  return std::move(summary);
}

}  // namespace

std::vector<GemmSummary> summaries_of(const std::vector<GemmResult>& results) {
  std::vector<GemmSummary> summaries;
  for (Group& group : grouped(results)) summaries.push_back(summary_of(std::move(group)));
  return summaries;
}

std::uint64_t count_shapes(const std::vector<ScreenedShape>& screened) {
  std::set<GemmShape> shapes;
  for (const ScreenedShape& each : screened) shapes.insert(each.shape);
  return shapes.size();
}

}  // namespace shakedown
