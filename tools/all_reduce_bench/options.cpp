// SPDX-License-Identifier: Apache-2.0
#include "options.h"

#include <fmt/format.h>

#include <algorithm>

#include "bandwidth_values.h"
#include "nccl_tests_options.h"
#include "option_values.h"
#include "shakedown/base/error.h"
#include "shakedown/base/size_text.h"

namespace shakedown {
namespace {

constexpr int most_iterations = 1'000'000;
constexpr int most_ranks = 1'000'000;

constexpr const char* footer =
    R"(Sizes: K M G T and KiB MiB GiB TiB are powers of 1024, KB MB GB TB powers of 1000; bandwidth is decimal (1 GB/s = 10^9 B/s).
Underscores are taken for hyphens, and every short option of nccl-tests keeps its meaning or is refused by name.
Exit codes: 0 measured, no check failed; 1 the run failed; 2 usage; 3 a check failed (wrong data, below --min-busbw);
            4 backend or library missing; 5 a deadline passed; 130, 143, 129 stopped by SIGINT, SIGTERM, SIGHUP.

Examples:
  all_reduce_bench                                  all GPUs of this machine, or two ranks on the CPU
  all_reduce_bench -b 1M -e 4G --json result.json   a part of the sweep, kept as JSON
  all_reduce_bench --hosts node-a,node-b            all GPUs of two machines
  srun --mpi=pmix -N 4 --ntasks-per-node=8 all_reduce_bench
  all_reduce_bench --payload-size-in-gib 4 --profile-stability --timing blocking
  all_reduce_bench --backend cpu --ranks 4 --min-busbw 1@64MiB)";

void declare_sweep(Declarations& say, Options& o) {
  say.section("What is measured");
  say.value("-b,--min-bytes,--minbytes", "SIZE", "first payload (default 32KiB)",
            [&](const auto& t) { o.min_bytes = parse_size(t, "--min-bytes"); });
  say.value("-e,--max-bytes,--maxbytes", "SIZE",
            "last payload (default 16GiB on GPUs, 64MiB on the CPU, less where memory is short)",
            [&](const auto& t) { o.max_bytes = parse_size(t, "--max-bytes"); });
  say.value("-f,--step-factor,--stepfactor", "X", "each payload is X times the one before (default 2)",
            [&](const auto& t) { o.step_factor = parse_number(t, "--step-factor", 0, 1e18); });
  say.value("-i,--step-bytes,--stepbytes", "SIZE",
            "each payload is SIZE more than the one before, instead of --step-factor",
            [&](const auto& t) { o.step_bytes = parse_size(t, "--step-bytes"); });
  say.value("--payload-size-in-gib", "GIB", "one payload alone",
            [&](const auto& t) { o.payload = parse_gib(t, "--payload-size-in-gib"); });
  say.value("-d,--dtype,--datatype", "TYPE", "element type (default float32)",
            [&](const auto& t) { o.dtype = parse_dtype_option(t); });
  say.value("-o,--op", "OP", "reduction: sum", [](const auto& t) {
    if (t != "sum") throw UsageError(fmt::format("--op: '{}' is not offered; sum is", t));
  });
  say.flag("--in-place", "send and receive in one buffer", [&] { o.in_place = true; });
}

void declare_method(Declarations& say, Options& o) {
  say.section("How it is measured");
  say.value("-n,--iterations,--num-iterations,--iters", "N", "timed samples a payload (default 20)",
            [&](const auto& t) { o.iterations = parse_count(t, "--iterations", 1, most_iterations); });
  say.value("-w,--warmup-iterations,--num-warmup-iterations,--warmup-iters", "N",
            "untimed calls before them (default 5)",
            [&](const auto& t) { o.warmups = parse_count(t, "--warmup-iterations", 0, most_iterations); });
  say.value("--timing", "MODE",
            "pipelined (default): calls back to back; blocking: a barrier before each call; graph: CUDA graph replay",
            [&](const auto& t) { o.timing = parse_timing(t); });
  say.value("-c,--check", "0|1", "compare every element with known values (default 1)",
            [&](const auto& t) { o.check = parse_count(t, "--check", 0, most_iterations) > 0; });
  say.flag("--no-check", "the same as --check 0", [&] { o.check = false; });
  say.flag("--profile-stability", "a line and a bar for each sample of the one payload",
           [&] { o.profile_stability = true; });
  say.value("--min-busbw", "GB/S[@SIZE]",
            "fail (exit 3) when the bus bandwidth at SIZE, or of the best payload, is lower",
            [&](const auto& t) { o.min_busbw = parse_min_busbw(t); });
  declare_require(say, o, "data, min_busbw, straggler");
}

void declare_ranks(Declarations& say, Options& o) {
  say.section("Where it runs");
  declare_backend(say, o);
  say.value("--ranks", "N", "ranks to start, in total (default: one a GPU; 2 on the CPU)",
            [&](const auto& t) { o.ranks = parse_count(t, "--ranks", 1, most_ranks); });
  say.value("-g,--ngpus", "N", "the same as --ranks; under a launcher 1, the GPUs of one process",
            [&](const auto& t) { o.gpus_per_process = parse_count(t, "-g", 1, most_ranks); });
  say.value("--hosts", "A,B", "start the ranks on these hosts", [&](const auto& t) { o.hosts = t; });
  say.value("--hostfile", "FILE", "start the ranks on the hosts in FILE, as mpirun reads it",
            [&](const auto& t) { o.hostfile = t; });
  say.flag("--share-gpu", "several ranks on one GPU are meant", [&] { o.share_gpu = true; });
  declare_timeout(say, o, "-T,--timeout");
}

void declare_nccl_tests(Declarations& say, Options& o) {
  say.section("");
  say.hidden("--local-rank", [](const auto&) {});  // what torch's old launcher passes
  say.hidden("-z,--blocking", [&](const auto& t) {
    const int mode = parse_count(t, "-z", 0, 3);
    if (mode > 1)
      throw UsageError(
          fmt::format("-z: {} (nccl-tests: another kind of blocking) is not offered; 0 (--timing pipelined) and 1 "
                      "(--timing blocking) are",
                      mode));
    if (mode == 1) o.timing = Timing::blocking;
  });
  say.hidden("-G,--cudagraph", [&](const auto& t) {
    if (parse_count(t, "-G", 0, most_iterations) > 0) o.timing = Timing::graph;
  });
  for (const ForeignOption& foreign : foreign_options()) {
    say.hidden(fmt::format("-{},--{}", foreign.letter, foreign.long_name), [&foreign](const std::string& t) {
      const auto& neutral = foreign.neutral;
      if (std::find(neutral.begin(), neutral.end(), "*") != neutral.end() ||
          std::find(neutral.begin(), neutral.end(), t) != neutral.end())
        return;
      throw UsageError(fmt::format("-{}: '{}' (nccl-tests: {}) is not offered; here {}", foreign.letter, t,
                                   foreign.meaning, foreign.ours));
    });
  }
}

void check_together(const Options& o) {
  if (o.step_factor && o.step_bytes) throw UsageError("--step-factor and --step-bytes (-f and -i): give one of them");
  if (o.payload && (o.min_bytes || o.max_bytes || o.step_factor || o.step_bytes))
    throw UsageError(
        "--payload-size-in-gib is one payload alone; leave out --min-bytes, --max-bytes, --step-factor and "
        "--step-bytes (-b -e -f -i)");
  if (o.profile_stability && !o.payload && !(o.min_bytes && o.min_bytes == o.max_bytes))
    throw UsageError(
        "--profile-stability needs one payload: --payload-size-in-gib GIB, or --min-bytes equal to --max-bytes (-b and "
        "-e)");
  if (o.min_bytes && o.min_bytes->count == 0)
    throw UsageError("--min-bytes: '0' is nothing to measure; give 1 or more");
  if (o.ranks && o.gpus_per_process) throw UsageError("--ranks and -g: give one of them");
  if (o.hosts && o.hostfile) throw UsageError("--hosts and --hostfile: give one of them");
  if (o.hosts && o.hosts->empty()) throw UsageError("--hosts: '' names no host; give node-a,node-b");
  check_common(o);
  for (const std::string& name : o.require) {
    if (name != "data" && name != "min_busbw" && name != "straggler")
      throw UsageError(fmt::format("--require: '{}' is not one of data, min_busbw, straggler", name));
    if (name == "data" && !o.check)
      throw UsageError("--require data needs the data check; leave out --no-check (-c 0)");
    if (name == "straggler" && o.timing != Timing::blocking)
      throw UsageError("--require straggler needs --timing blocking: only there a late rank can be told");
    if (name == "min_busbw" && !o.min_busbw) throw UsageError("--require min_busbw needs --min-busbw");
  }
}

}  // namespace

std::variant<Options, EarlyExit> parse_options(const std::vector<std::string>& arguments, const std::string& version) {
  Options options;
  const ToolWords words{
      .tool = "all_reduce_bench",
      .version = version,
      .purpose = "Measures the real bandwidth of all-reduce between the GPUs, or CPU ranks, of one or more machines.",
      .footer = footer};
  const auto declare = [&](Declarations& say) {
    declare_sweep(say, options);
    declare_method(say, options);
    declare_ranks(say, options);
    declare_output(say, options);
    declare_nccl_tests(say, options);
  };
  if (auto early = parse_command_line(words, arguments, declare, [&] { check_together(options); })) return *early;
  return options;
}

}  // namespace shakedown
