#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mamf_finder's fastest algorithm beside torch.mm, on random large shapes, under the same burst protocol, in turns.

    compare_with_torch.py --ours build/release/bin/mamf_finder [--shapes 10] [--rounds 3] [--seed 1]

Both: bfloat16, A (m x k) and B (k x n) contiguous along k, normal data, buffers that rotate through twice the L2 cache, 0.1 s of rest, one
untimed product, then 5 between two events; the median of 6 samples or more. Prints TFLOPS of each turn's median and the ratio ours/torch.
"""

import argparse
import json
import pathlib
import random
import statistics
import subprocess
import tempfile
import time

import torch


def torch_tflops(shape, samples=6, calls=5):
    m, n, k = shape
    cache = torch.cuda.get_device_properties(0).L2_cache_size
    places = max(2, 2 * cache // (2 * k * (m + n)) + 1)
    a = [torch.randn(m, k, dtype=torch.bfloat16, device="cuda") for _ in range(places)]
    b = [torch.randn(n, k, dtype=torch.bfloat16, device="cuda").t() for _ in range(places)]
    out = torch.empty(m, n, dtype=torch.bfloat16, device="cuda")
    before, after = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    rates, place = [], 0
    for _ in range(samples):
        torch.cuda.synchronize()
        time.sleep(0.1)
        for call in range(calls + 1):
            if call == 1:
                before.record()
            torch.mm(a[place], b[place], out=out)
            place = (place + 1) % places
        after.record()
        torch.cuda.synchronize()
        rates.append(2 * m * n * k * calls / (before.elapsed_time(after) / 1e3) / 1e12)
    return statistics.median(rates)


def our_tflops(tool, shape):
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "result.json"
        m, n, k = map(str, shape)
        subprocess.run([tool, "--protocol", "burst", "--m", m, "--n", n, "--k", k, "--quiet", "--json", str(file)], check=True,
                       stdout=subprocess.DEVNULL)
        return json.loads(file.read_text())["best"][0]["burst"]["tflops"]["median"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True, help="the mamf_finder executable")
    parser.add_argument("--shapes", type=int, default=10)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    choose = random.Random(options.seed)
    torch_mm_warm = torch_tflops((4096, 4096, 4096), samples=2)
    print(f"torch {torch.__version__}, {torch.cuda.get_device_name(0)}; 4096x4096x4096 to warm up: {torch_mm_warm:.1f} TFLOPS")
    print(f"{'shape':>22} {'torch':>8} {'ours':>8} {'ratio':>7}  ratios of the turns")
    ratios = []
    for _ in range(options.shapes):
        shape = tuple(128 * choose.randint(8, 128) for _ in range(3))  # 1024 to 16384
        turns = [(torch_tflops(shape), our_tflops(options.ours, shape)) for _ in range(options.rounds)]
        theirs, ours = (statistics.median(column) for column in zip(*turns))
        ratios.append(ours / theirs)
        each = " ".join(f"{o / t:.3f}" for t, o in turns)
        print(f"{'x'.join(map(str, shape)):>22} {theirs:8.1f} {ours:8.1f} {ours / theirs:7.3f}  {each}", flush=True)
    print(f"ratio ours/torch: least {min(ratios):.3f}, median {statistics.median(ratios):.3f}, greatest {max(ratios):.3f}")


if __name__ == "__main__":
    main()
