// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "gemm_values.h"
#include "kinds.h"
#include "model_option.h"
#include "option_values.h"
#include "shakedown/base/error.h"
#include "shakedown/math/shape_grid.h"

namespace shakedown {
namespace {

constexpr int most_iterations = 1'000'000;
constexpr int most_algorithms = 100;
constexpr double longest_budget_s = 1e6;
constexpr std::array check_names{"data", "figures", "shapes", "peak", "drift", "devices", "min_tflops"};

constexpr const char* footer =
    R"(A product of MxNxK counts as 2*M*N*K operations, so TFLOPS = 2*M*N*K / seconds / 10^12 (TOPS for int8).
burst: the chip rested, then a few products. sustained: back to back at the power and clock where the chip settles.
Ranges are those of the book's script: a start of 0 means step, and stop is excluded: 0 4096 1024 is 1024 2048 3072.
A model: hidden, layers, heads, ffn, seq, vocab, and if wanted kv_heads, gated (1), mbs (1), tp (1).
A line of a shape file: m n k [count] [name], or MxNxK [count] [name]; # starts a comment.
Underscores are taken for hyphens, so the script's options work unchanged.
Exit codes: 0 measured, no check failed; 1 the run failed; 2 usage; 3 a check failed (wrong product, below --min-tflops);
            4 backend, library or data type missing; 5 a deadline passed; 130, 143, 129 stopped by SIGINT, SIGTERM, SIGHUP.

Examples:
  mamf_finder                                       the best bfloat16 shape of this GPU, or of the CPU, in a minute
  mamf_finder --dtype fp8 --json result.json        the same in float8_e4m3fn with fast accumulation, kept as JSON
  mamf_finder --m 4096 8192 --n 4096 --k 4096,8192  these shapes, and the best of them sustained
  mamf_finder --m-range 0 8192 1024 --n 4096 --k 4096 --protocol mamf-v2
  mamf_finder --model hidden=4096,layers=32,heads=32,kv_heads=8,ffn=14336,seq=8192,vocab=128256
  mamf_finder --devices all --min-tflops 650,sustained
  srun --mpi=pmix -N 4 --ntasks-per-node=8 mamf_finder)";

/// m, n or k as the command line gave it.
struct Dimension {
  const char* name;
  std::vector<std::uint64_t> list;
  std::optional<DimensionRange> range;

  [[nodiscard]] bool given() const { return !list.empty() || range.has_value(); }
  [[nodiscard]] std::string rule() const {
    if (range) return fmt::format("{} {} to {} step {}", name, range->start, range->stop, range->step);
    return fmt::format("{} {}", name, fmt::join(list, " "));
  }
};
using Dimensions = std::array<Dimension, 3>;

void declare_what(Declarations& say, Options& o, std::vector<std::string>& types) {
  say.section("What is measured");
  say.values("--dtype", "TYPE,...",
             "data types, or all that the device has (default bfloat16; float32 on a CPU without)",
             [&](const auto& words) { types = words; });
  say.value("--accumulation", "HOW", "standard, fast (float8; its default), half (float16)",
            [&](const auto& t) { o.accumulation = parse_accumulation(t); });
  say.value("--layout", "AB", "which operands are transposed: TN (default), NN, NT, TT",
            [&](const auto& t) { o.layout = parse_layout(t); });
  say.value("--init", "DATA", "inputs: normal (default), uniform, integers, zeros, ones",
            [&](const auto& t) { o.data = parse_data(t); });
  say.value("--seed", "N", "of the inputs (default 42)",
            [&](const auto& t) { o.seed = parse_large_count(t, "--seed", 0, UINT64_MAX); });
}

void declare_shapes(Declarations& say, Options& o, Dimensions& dimensions) {
  say.section("Which shapes (without any of these the best is searched)");
  for (Dimension& dimension : dimensions) {
    const std::string option = fmt::format("--{}", dimension.name);
    const std::string range = option + "-range";
    say.values(option, "N...", fmt::format("values of {}, between blanks or commas", dimension.name),
               [&dimension, option](const auto& words) { dimension.list = parse_dimensions(words, option); });
    say.values(range, "START STOP STEP", fmt::format("the same as a range: 0 start means step, stop is excluded"),
               [&dimension, range](const auto& words) { dimension.range = parse_range(words, range); });
  }
  say.flag("--exhaustive", "the book's grid: 0 16384 1024 for m, n and k, the best measured again",
           [&] { o.exhaustive = true; });
  say.value("--shapes", "FILE", "the products of a file, each sustained, and their mean by operations",
            [&](const auto& t) { o.shapes_file = t; });
  say.value("--model", "KEY=N,...", "the products of a transformer: hidden=,layers=,heads=,ffn=,seq=,vocab=,...",
            [&](const auto& t) { o.model = parse_model(t); });
  say.value("--resume", "FILE", "take over what this JSON report of an earlier run has of the shapes",
            [&](const auto& t) { o.resume = t; });
  say.value("--controls", "MxNxK,...", "shapes that are measured beside a search's winners",
            [&](const auto& t) { o.controls = parse_shape_list(t, "--controls"); });
}

void declare_method(Declarations& say, Options& o) {
  say.section("How it is measured");
  say.value("--protocol", "NAME", "burst-sustained (default), burst, sustained, mamf-v2 (the book's script)",
            [&](const auto& t) { o.modes = parse_protocol(t); });
  say.value("--budget", "SECONDS", "of the search, for each data type (default 45)",
            [&](const auto& t) { o.budget = Seconds{parse_number(t, "--budget", 0.1, longest_budget_s)}; });
  say.value("--num-iterations", "N", "mamf-v2: timed products (100); burst: least samples (6)",
            [&](const auto& t) { o.iterations = parse_count(t, "--num-iterations", 1, most_iterations); });
  say.value("--num-warmup-iterations", "N", "mamf-v2: untimed products (50); burst: before each sample (1)",
            [&](const auto& t) { o.warmups = parse_count(t, "--num-warmup-iterations", 0, most_iterations); });
  say.value("--algorithms", "N", "most of the library's algorithms that a finalist is tried with (default 8)",
            [&](const auto& t) { o.algorithms = parse_count(t, "--algorithms", 1, most_algorithms); });
  say.value("--min-tflops", "X[,MODE]", "fail (exit 3) when the best is lower; of burst unless MODE says sustained",
            [&](const auto& t) { o.min_rate = parse_minimum_rate(t); });
  declare_require(say, o, fmt::format("{}", fmt::join(check_names, ", ")));
}

void declare_where(Declarations& say, Options& o) {
  say.section("Where it runs");
  declare_backend(say, o);
  say.value("--device,--cuda-device", "N", "the GPU of this number (default 0)",
            [&](const auto& t) { o.devices.indices.push_back(parse_count(t, "--device", 0, 1024)); });
  say.value("--devices", "all|N,...", "find the best shape on the first, then compare all of them on it",
            [&](const auto& t) {
              if (!o.devices.indices.empty()) throw UsageError("--device and --devices: give one of them");
              o.devices = parse_devices(t);
            });
  declare_timeout(say, o, "--timeout");
  say.section("");
  say.hidden("--local-rank", [](const auto&) {});  // what torch's old launcher passes
  say.hidden_flag("--verbose");
  say.hidden_flag("--no-verbose");
}

void resolve_types(Options& o, const std::vector<std::string>& names) {
  o.types = parse_types(names, o.all_types);
  if (!o.types.empty()) kinds_of(o.types, o.accumulation, o.layout);  // throws what contradicts
  if (o.types.empty() && !o.all_types && o.accumulation && *o.accumulation != Accumulation::standard)
    throw UsageError(fmt::format("--accumulation {} needs --dtype: bfloat16 has standard accumulation alone",
                                 name_of(*o.accumulation)));
}

void resolve_grid(Options& o, Dimensions& dimensions) {
  std::string missing;
  bool any = false;
  for (Dimension& dimension : dimensions) {
    const std::string option = fmt::format("--{}", dimension.name);
    if (!dimension.list.empty() && dimension.range)
      throw UsageError(fmt::format("{0} and {0}-range: give one of them", option));
    any = any || dimension.given();
    if (!dimension.given()) missing += fmt::format("{}{} (or {}-range)", missing.empty() ? "" : ", ", option, option);
  }
  if (any && o.exhaustive) throw UsageError("--exhaustive is a grid of its own; leave out --m, --n, --k");
  if (any && !missing.empty())
    throw UsageError(fmt::format("explicit shapes need m, n and k; missing: {}; or give none, for a search", missing));
  if (o.exhaustive)
    for (Dimension& dimension : dimensions) dimension.range = DimensionRange{.start = 0, .stop = 16384, .step = 1024};
  if (!any && !o.exhaustive) return;
  std::array<std::vector<std::uint64_t>, 3> values;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::string option = fmt::format("--{}-range", dimensions[i].name);
    values[i] = dimensions[i].range ? expand(*dimensions[i].range, option.c_str()) : dimensions[i].list;
    o.shape_rule += (i == 0 ? "" : ", ") + dimensions[i].rule();
  }
  o.m = values[0];
  o.n = values[1];
  o.k = values[2];
}

void check_task(Options& o) {
  const bool grid = !o.m.empty();
  if (int{grid} + int{o.shapes_file.has_value()} + int{o.model.has_value()} > 1)
    throw UsageError("--m --n --k (or --exhaustive), --shapes and --model: give one of them");
  const GemmTask task = o.task();
  if (o.budget && task != GemmTask::search)
    throw UsageError("--budget bounds the search; shapes that are named are all measured (--dry-run tells how long)");
  if (!o.controls.empty() && task != GemmTask::search)
    throw UsageError("--controls are measured beside a search's winners; here the shapes are named already");
  if (o.resume && task != GemmTask::shapes)
    throw UsageError("--resume takes over shapes of a sweep; give --m, --n and --k, or --exhaustive, with it");
  if (task != GemmTask::model) return;
  if (o.types.size() > 1 || o.all_types)
    throw UsageError("--shapes and --model give one figure, of one data type; give one --dtype");
  if (!o.measures(GemmMode::sustained))
    throw UsageError("--shapes and --model are measured sustained, as training runs; leave out --protocol");
  o.modes = {GemmMode::sustained};
}

void check_method(const Options& o) {
  const bool counts = (o.measures(GemmMode::burst) || o.measures(GemmMode::mamf_v2)) && o.task() != GemmTask::model;
  if ((o.iterations || o.warmups) && !counts)
    throw UsageError(
        "--num-iterations and --num-warmup-iterations count samples of burst and products of mamf-v2; sustained runs "
        "for a time");
  if (o.min_rate && (o.types.size() > 1 || o.all_types))
    throw UsageError("--min-tflops: one number can't be the bar of several data types; give one --dtype");
  if (o.min_rate && o.min_rate->mode && !o.measures(*o.min_rate->mode))
    throw UsageError(fmt::format("--min-tflops: {} is not measured here, so nothing would be judged (--protocol)",
                                 name_of(*o.min_rate->mode)));
}

void check_requirements(const Options& o) {
  for (const std::string& name : o.require) {
    if (std::find(check_names.begin(), check_names.end(), name) == check_names.end())
      throw UsageError(fmt::format("--require: '{}' is not one of {}", name, fmt::join(check_names, ", ")));
    if (name == "min_tflops" && !o.min_rate) throw UsageError("--require min_tflops needs --min-tflops");
    if (name == "drift" && !o.measures(GemmMode::sustained))
      throw UsageError("--require drift needs the sustained figure: only there it is judged");
    if (name == "shapes" && o.task() == GemmTask::search)
      throw UsageError("--require shapes needs shapes that are named; a search looks at those that it likes");
  }
}

void check_together(Options& o, const std::vector<std::string>& types, Dimensions& dimensions) {
  resolve_types(o, types);
  resolve_grid(o, dimensions);
  check_task(o);
  check_method(o);
  check_requirements(o);
  check_common(o);
}

}  // namespace

bool Options::measures(GemmMode mode) const { return std::find(modes.begin(), modes.end(), mode) != modes.end(); }

GemmTask Options::task() const {
  if (shapes_file || model) return GemmTask::model;
  return m.empty() ? GemmTask::search : GemmTask::shapes;
}

std::variant<Options, EarlyExit> parse_options(const std::vector<std::string>& arguments, const std::string& version) {
  Options options;
  std::vector<std::string> types;
  Dimensions dimensions{{{.name = "m", .list = {}, .range = {}},
                         {.name = "n", .list = {}, .range = {}},
                         {.name = "k", .list = {}, .range = {}}}};
  const ToolWords words{.tool = "mamf_finder",
                        .version = version,
                        .purpose = "Finds the highest matrix-product rate that a GPU, or CPU, really achieves.",
                        .footer = footer};
  const auto declare = [&](Declarations& say) {
    declare_what(say, options, types);
    declare_shapes(say, options, dimensions);
    declare_method(say, options);
    declare_where(say, options);
    declare_output(say, options);
  };
  const auto check = [&] { check_together(options, types, dimensions); };
  if (auto early = parse_command_line(words, arguments, declare, check)) return *early;
  return options;
}

}  // namespace shakedown
