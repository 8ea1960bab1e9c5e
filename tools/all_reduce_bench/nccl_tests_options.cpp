// SPDX-License-Identifier: Apache-2.0
#include "nccl_tests_options.h"

namespace shakedown {

const std::vector<ForeignOption>& foreign_options() {
  static const std::vector<ForeignOption> table{
      {'t', "nthreads", {"1"}, "threads a process", "each rank is a process: --ranks N (or -g N)"},
      {'m',
       "agg-iters",
       {"1"},
       "operations aggregated in a group",
       "--timing graph takes the host's cost per call away"},
      {'N', "run-cycles", {"1"}, "repetitions of the whole sweep", "start it again, with --json to another file"},
      {'p', "parallel-init", {"*"}, "parallel initialization", "ranks always start in parallel"},
      {'r', "root", {"*"}, "root rank", "an all-reduce has no root"},
      {'a',
       "average",
       {"3"},
       "statistic over ranks",
       "a sample is the maximum over ranks (3); --json holds each rank's mean"},
      {'y', "stream-null", {"0"}, "the null stream", "calls are queued on a stream of their own"},
      {'C', "report-cputime", {"0"}, "CPU time instead of latency", "times are the device's own"},
      {'S', "report-timestamps", {"0"}, "time stamps in each row", "--json holds started_at and duration_s"},
      {'R', "local-register", {"0"}, "buffer registration", "buffers are plain device memory"},
      {'x', "cta-policy", {"0", "-1"}, "CTA policy", "set NCCL's own variables; they stand in the report"},
      {'D', "device-implementation", {"0"}, "kernels of the device interface", "host-side NCCL calls are measured"},
      {'V', "device-cta-count", {"*"}, "CTAs of the device interface", "host-side NCCL calls are measured"},
      {'M', "memory-report", {"0"}, "memory report", "--dry-run tells the memory that a run needs"},
      {'u', "unalign", {"0"}, "misaligned buffers", "buffers are aligned; -b and -i choose odd sizes"},
      {'I', "per-iter-timing", {"*"}, "timing of each iteration", "--json has each iteration (samples_s)"},
      {'K', "skip-iters", {"0"}, "samples left out at the start", "-w N runs N calls before the timed ones"},
  };
  return table;
}

}  // namespace shakedown
