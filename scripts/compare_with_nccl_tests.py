#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures all_reduce_bench beside nccl-tests' all_reduce_perf in one session, alternating, and prints the ratios.

Both are run the same way: same sizes, warm-ups, iterations and NCCL, out of place, unchecked. all_reduce_perf reports a mean over
iterations, averaged over ranks, so that is what is taken of all_reduce_bench, too. A/A is all_reduce_perf against itself: its odd runs
over its even ones. Needs an all_reduce_perf built with MPI.
"""
import argparse
import json
import os
import shlex
import statistics
import subprocess
import sys
import tempfile
import time

# Ranks that share a GPU need a host id each, and all_reduce_perf must be told the device.
WRAPPER = 'export NCCL_HOSTID=$(hostname)-$OMPI_COMM_WORLD_RANK NCCL_TESTS_DEVICE=0; exec "$@"'


longest_run_s = 60


def mpirun(ranks):
    root = ["--allow-run-as-root"] if os.geteuid() == 0 else []
    return ["mpirun", "-np", str(ranks), "--oversubscribe", "--bind-to", "none", *root]


def run(command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=longest_run_s)
    except subprocess.TimeoutExpired as hung:
        sys.exit(f"{shlex.join(command)}: no end within {longest_run_s} s\n{(hung.stdout or b'').decode()[-2000:]}\n{(hung.stderr or b'').decode()[-2000:]}")
    if done.returncode != 0:
        sys.exit(f"{shlex.join(command)}: status {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
    return done.stdout


def peer_times(args, sizes):
    """Seconds a call by size, out of place."""
    command = [args.peer, "-b", str(sizes[0]), "-e", str(sizes[-1]), "-f", str(args.factor), "-w", "5", "-n", str(args.iterations), "-c", "0"]
    command += ["-G", "1"] if args.graph else []
    if args.ranks > 1:
        command = mpirun(args.ranks) + ["sh", "-c", WRAPPER, "sh"] + command
    elif args.gpus > 1:
        command = mpirun(args.gpus) + command
    rows = [line.split() for line in run(command).splitlines() if line.strip()[:1].isdigit()]
    return {int(row[0]): float(row[5]) * 1e-6 for row in rows}


def our_times(args, sizes):
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        command = [args.ours, "-b", str(sizes[0]), "-e", str(sizes[-1]), "-f", str(args.factor), "-w", "5", "-n", str(args.iterations),
                   "--no-check", "--json", file.name, "--timing", "graph" if args.graph else "pipelined"]
        command += ["--ranks", str(args.ranks), "--share-gpu"] if args.ranks > 1 else []
        run(command)
        rows = json.load(open(file.name))["results"]
    return {row["bytes"]: statistics.fmean(row["per_rank_s"]) for row in rows}


def human(size):
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024:
            return f"{size} {unit}"
        size //= 1024
    return f"{size} TiB"


def table(args):
    sizes = [args.first]
    while sizes[-1] * args.factor <= args.last:
        sizes.append(sizes[-1] * args.factor)
    peer = {size: [] for size in sizes}
    ours = {size: [] for size in sizes}
    for _ in range(args.rounds):
        for target, measure in ((peer, peer_times), (ours, our_times)):
            for size, seconds in measure(args, sizes).items():
                target[size].append(seconds)
    where = f"{args.gpus} GPUs" if args.gpus > 1 else f"{args.ranks} rank(s) on one GPU"
    print(f"{where}, {'graph' if args.graph else 'pipelined'}, {args.rounds} alternating runs, {args.iterations} iterations a run")
    print("| payload | nccl-tests us | ours us | time ratio ours/peer | peer A/A | peer range of runs |")
    print("| ------: | ------------: | ------: | -------------------: | -------: | -----------------: |")
    for size in sizes:
        p, o = statistics.median(peer[size]), statistics.median(ours[size])
        same = statistics.median(peer[size][1::2]) / statistics.median(peer[size][0::2]) if args.rounds > 1 else float("nan")
        print(f"| {human(size)} | {p * 1e6:.2f} | {o * 1e6:.2f} | {o / p:.3f} | {same:.3f} | {min(peer[size]) / p:.3f} to {max(peer[size]) / p:.3f} |")


def first_row_seconds(command):
    start = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, stdin=subprocess.DEVNULL) as child:
        for line in child.stdout:
            if "KiB" in line or "MiB |" in line or line.strip()[:1].isdigit():
                first = time.monotonic() - start
                child.stdout.read()
                child.wait()
                return first
    return float("nan")


def peak_memory_mib(command):
    code = ("import resource,subprocess,sys; subprocess.run(sys.argv[1:],stdout=subprocess.DEVNULL,stderr=subprocess.DEVNULL);"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)")
    return int(run([sys.executable, "-c", code, *command])) / 1024


def start_up(args):
    small = ["-b", "32K", "-e", "1M", "-f", "32", "-w", "5", "-n", "20"]
    peer, ours = [args.peer, *small, "-c", "0"], [args.ours, *small]
    print("| start to first row, s | nccl-tests (1 row of output) | ours |")
    for _ in range(args.rounds):
        print(f"| | {first_row_seconds(peer):.2f} | {first_row_seconds(ours):.2f} |")
    one = ["-b", "1M", "-e", "1M"]
    p, o = peak_memory_mib([args.peer, *one, "-c", "1"]), peak_memory_mib([args.ours, *one])
    print(f"peak resident memory at 1 MiB: nccl-tests {p:.0f} MiB, ours {o:.0f} MiB, ratio {o / p:.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ours", required=True)
    parser.add_argument("--peer", required=True)
    parser.add_argument("--ranks", type=int, default=1, help="ranks on one GPU")
    parser.add_argument("--gpus", type=int, default=1, help="all GPUs of this machine, a rank each")
    parser.add_argument("--graph", action="store_true")
    parser.add_argument("--first", type=int, default=32 << 10)
    parser.add_argument("--last", type=int, default=1 << 30)
    parser.add_argument("--factor", type=int, default=2)
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--start-up", action="store_true", help="time to the first row and peak memory instead")
    args = parser.parse_args()
    (start_up if args.start_up else table)(args)


if __name__ == "__main__":
    main()
