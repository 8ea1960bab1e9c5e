// SPDX-License-Identifier: Apache-2.0
#include "bench/shape_pool.h"

#include <algorithm>
#include <numeric>

#include "bench/gemm_results.h"
#include "shakedown/base/error.h"
#include "shakedown/math/gemm_cost.h"
#include "shakedown/math/statistics.h"

namespace shakedown {
namespace {

constexpr int looks_between_references = 16;
/// Looks at the reference whose median is its speed now.
constexpr std::size_t reference_window = 3;

double rate_of(const GemmShape& shape, const GemmSample& sample) {
  return operations_of(shape) / sample.per_call.count() / 1e12;
}

}  // namespace

double Candidate::rate() const { return rates.empty() ? 0 : median_of(rates); }

bool ShapePool::fits(const GemmShape& shape) const {
  return bench_.engine.refusal(bench_.kind, shape).empty() && bench_.engine.memory_for(bench_.kind, shape) <= room_;
}

void ShapePool::load(Bytes room, std::uint64_t seed) {
  room_ = room;
  reference_.reset();
  reference_rates_.clear();
  bench_.tools.board.enter(Stage::fill);
  bench_.engine.load(bench_.kind, bench_.report.protocol.data, seed, room);
  bench_.tools.board.enter(Stage::timed_loop);
}

bool ShapePool::seen(const GemmShape& shape) const {
  return std::any_of(candidates_.begin(), candidates_.end(), [&](const Candidate& c) { return c.shape == shape; });
}

std::unique_ptr<PreparedGemm> ShapePool::prepare(const Candidate& candidate) const {
  const std::vector<GemmAlgorithm> offered =
      bench_.engine.algorithms(candidate.shape, std::max(1, bench_.report.protocol.algorithms));
  const auto same = std::find_if(offered.begin(), offered.end(),
                                 [&](const GemmAlgorithm& one) { return one.name == candidate.algorithm.name; });
  if (same == offered.end()) {
    refused_ = "the library no longer offers " + candidate.algorithm.name;
    return nullptr;
  }
  try {
    return bench_.engine.prepare(candidate.shape, *same);
  } catch (const Error& error) {
    refused_ = error.what();  // an algorithm that the library lists and then refuses is no candidate
    return nullptr;
  }
}

void ShapePool::measure_reference(Seconds rest) {
  if (!reference_) return;
  reference_rates_.push_back(rate_of(reference_->shape(), meter_.burst_sample(*reference_, rest)));
}

void ShapePool::note(Candidate& candidate, const PreparedGemm& gemm, const GemmSample& sample) {
  double drift = 1;
  if (reference_rates_.size() >= 2 * reference_window) {
    const auto begin = reference_rates_.begin();
    const auto window = static_cast<std::ptrdiff_t>(reference_window);
    drift = median_of(std::vector<double>(reference_rates_.end() - window, reference_rates_.end())) /
            median_of(std::vector<double>(begin, begin + window));
  }
  const double rate = rate_of(candidate.shape, sample);
  // What no chip can do never leads; it is kept among what was looked at.
  if (bench_.peak.estimated || !bench_.peak.is_exceeded_by(rate, sample.clock_mhz))
    candidate.rates.push_back(rate / drift);
  auto& screened = bench_.report.screened;
  if (candidate.row == screened.size())
    screened.push_back(
        {.shape = candidate.shape, .algorithm = gemm.algorithm(), .mode = GemmMode::burst, .rate = rate, .samples = 1});
  else
    ++screened[candidate.row].samples;
  if (!candidate.rates.empty()) screened[candidate.row].rate = candidate.rate();
  GemmSeries single;
  single.samples.push_back(sample);
  single.calls_per_sample = bench_.report.protocol.burst_calls;
  GemmResult result = result_of(bench_, GemmMode::burst, gemm, single);
  offer_best(bench_, result);
  bench_.tools.on_change();
}

bool ShapePool::look(std::size_t index, Seconds rest) {
  if (looks_++ % looks_between_references == 0) measure_reference(rest);
  const auto gemm = prepare(candidates_[index]);
  if (!gemm) return false;
  note(candidates_[index], *gemm, meter_.burst_sample(*gemm, rest));
  return true;
}

bool ShapePool::add(const GemmShape& shape, Seconds rest) {
  if (seen(shape) || !fits(shape)) return false;
  const std::vector<GemmAlgorithm> offered =
      bench_.engine.algorithms(shape, std::max(1, bench_.report.protocol.algorithms));
  if (offered.empty()) return false;
  candidates_.push_back(
      {.shape = shape, .algorithm = offered.front(), .rates = {}, .row = bench_.report.screened.size()});
  if (!look(candidates_.size() - 1, rest)) {
    candidates_.pop_back();
    return false;
  }
  if (!reference_) reference_ = prepare(candidates_.back());
  return true;
}

void ShapePool::add_algorithms(std::size_t index, Seconds rest, Seconds deadline) {
  const GemmShape shape = candidates_[index].shape;
  for (const GemmAlgorithm& algorithm :
       bench_.engine.algorithms(shape, std::max(1, bench_.report.protocol.algorithms))) {
    if (bench_.tools.clock.now() >= deadline) return;
    const bool known = std::any_of(candidates_.begin(), candidates_.end(), [&](const Candidate& c) {
      return c.shape == shape && c.algorithm.name == algorithm.name;
    });
    if (known) continue;
    candidates_.push_back({.shape = shape, .algorithm = algorithm, .rates = {}, .row = bench_.report.screened.size()});
    if (!look(candidates_.size() - 1, rest)) candidates_.pop_back();
  }
}

bool ShapePool::verify(std::size_t index, GemmMode mode) {
  Candidate& candidate = candidates_[index];
  if (candidate.verified) return true;
  const auto gemm = prepare(candidate);
  if (!gemm) return false;
  GemmResult result = unmeasured(bench_, mode, candidate.shape, RowStatus::ok, "");
  result.algorithm = gemm->algorithm();
  verify_result(bench_, *gemm, result);
  candidate.verified = result.verified != false;
  if (candidate.verified) return true;
  candidate.rates.clear();
  auto& leader = best_in_mode(bench_, GemmMode::burst);
  if (leader && leader->shape == result.shape && leader->algorithm == result.algorithm) leader.reset();
  bench_.report.results.push_back(result);
  bench_.tools.on_change();
  return false;
}

std::vector<std::size_t> ShapePool::ranking() const {
  std::vector<std::size_t> order(candidates_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return candidates_[a].rate() > candidates_[b].rate(); });
  return order;
}

}  // namespace shakedown
