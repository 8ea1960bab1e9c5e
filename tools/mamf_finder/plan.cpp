// SPDX-License-Identifier: Apache-2.0
#include "plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model_option.h"
#include "shakedown/base/error.h"
#include "shakedown/math/shape_grid.h"
#include "shakedown/report/read_gemm_report.h"
#include "shape_file.h"

namespace shakedown {
namespace {

/// Of a sweep; each is a row that the report keeps, and a million takes half a day at least.
constexpr double most_shapes = 1'000'000;

// A chip's power and clock remember what ran before. After 0.1 s of rest the same shape repeats within 0.06 to 1.4 %,
// after 20 ms within a few percent: enough to say which shapes deserve a second look.
constexpr Seconds gpu_rest{0.1};
constexpr Seconds gpu_screen_rest{0.02};
// A power-capped GPU settles within about a second, and its clock then swings with a period of one to two, so four
// seconds hold at least two periods.
constexpr Seconds gpu_soak{3};
constexpr Seconds gpu_sustained{4};
// A CPU changes its clock within milliseconds, and a product takes longer than that.
constexpr Seconds cpu_rest{0.05};
constexpr Seconds cpu_screen_rest{0};
constexpr Seconds cpu_soak{1};
constexpr Seconds cpu_sustained{3};

constexpr Seconds default_budget{45};
/// Settling may take this part of a search's budget, so that a short budget has a sustained figure, too.
constexpr double settling_share = 1.0 / 8;
/// Five products a sample: long enough for the clock, short enough to stay cool.
constexpr int burst_calls = 5;
/// The first product after a rest wakes caches and clocks.
constexpr int burst_warmups = 1;
/// Six samples are the fewest whose range holds the median with 95 %.
constexpr int least_samples = 6;
/// The library's first eight hold its best for nearly every shape; later ones cost more than they bring.
constexpr int algorithms = 8;
/// The book's script's own numbers.
constexpr int flushed_warmups = 50;
constexpr int flushed_calls = 100;

std::string shape_rule_of(const Options& options, const AskedShapes& asked) {
  switch (options.task()) {
    case GemmTask::search:
      return "search";
    case GemmTask::shapes:
      return options.shape_rule;
    case GemmTask::model:
      break;
  }
  return asked.suite_description;
}

void set_lengths(GemmProtocol& protocol, bool on_gpu) {
  protocol.rest = on_gpu ? gpu_rest : cpu_rest;
  protocol.screen_rest = on_gpu ? gpu_screen_rest : cpu_screen_rest;
  protocol.rest_rule = on_gpu ? "until the SM clock is back" : "measured gap";
  protocol.soak = on_gpu ? gpu_soak : cpu_soak;
  protocol.sustained_time = on_gpu ? gpu_sustained : cpu_sustained;
  if (protocol.task != GemmTask::search) return;
  protocol.soak = std::min(protocol.soak, settling_share * protocol.budget);
  protocol.sustained_time = std::min(protocol.sustained_time, settling_share * protocol.budget);
}

/// Zeros are faster than random values, so a run with others is no part of this one.
std::vector<GemmResult> earlier_results(const Options& options) {
  EarlierGemmRun run = read_gemm_run(read_file(*options.resume, "--resume"));
  if (run.data != name_of(options.data) || run.seed != options.seed)
    throw UsageError(fmt::format(
        "--resume '{}': it was measured with {} data and seed {}, this run with {} data and seed "
        "{}; give the same --init and --seed",
        *options.resume, run.data.empty() ? "unknown" : run.data, run.seed, name_of(options.data), options.seed));
  return std::move(run.results);
}

}  // namespace

AskedShapes asked_shapes(const Options& options) {
  AskedShapes asked;
  const double count = static_cast<double>(options.m.size()) * static_cast<double>(options.n.size()) *
                       static_cast<double>(options.k.size());
  if (count > most_shapes)
    throw UsageError(
        fmt::format("{}: {:.0f} shapes, and a run holds 1000000; give fewer values or greater steps, or no shapes at "
                    "all, for a search",
                    options.shape_rule, count));
  if (!options.m.empty()) asked.shapes = shape_grid(options.m, options.n, options.k);
  if (options.model) {
    asked.suite = gemms_of(*options.model);
    asked.suite_description = describe(*options.model);
  }
  if (options.shapes_file) {
    asked.suite = read_shapes(*options.shapes_file);
    asked.suite_description = fmt::format("the products of {}", *options.shapes_file);
  }
  if (options.resume) asked.earlier = earlier_results(options);
  return asked;
}

GemmProtocol plan_protocol(const Options& options, bool on_gpu, const std::vector<GemmKind>& kinds,
                           const AskedShapes& asked) {
  GemmProtocol protocol;
  protocol.task = options.task();
  protocol.kinds = kinds;
  protocol.modes = options.modes;
  protocol.data = options.data;
  protocol.seed = options.seed;
  protocol.shape_rule = shape_rule_of(options, asked);
  protocol.shapes = protocol.task == GemmTask::model ? asked.suite.size() : asked.shapes.size();
  if (protocol.task == GemmTask::search) protocol.budget = options.budget.value_or(default_budget);
  set_lengths(protocol, on_gpu);
  protocol.burst_warmups = burst_warmups;
  protocol.burst_calls = burst_calls;
  protocol.least_samples = least_samples;
  protocol.flushed_warmups = flushed_warmups;
  protocol.flushed_calls = flushed_calls;
  if (options.measures(GemmMode::mamf_v2)) {
    protocol.flushed_warmups = options.warmups.value_or(flushed_warmups);
    protocol.flushed_calls = options.iterations.value_or(flushed_calls);
  } else {
    protocol.burst_warmups = options.warmups.value_or(burst_warmups);
    protocol.least_samples = options.iterations.value_or(least_samples);
  }
  protocol.algorithms = options.algorithms.value_or(algorithms);
  protocol.controls = options.controls;
  protocol.timeout = options.timeout;
  return protocol;
}

}  // namespace shakedown
