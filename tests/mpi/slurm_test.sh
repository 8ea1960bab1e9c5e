#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# How ranks start under Slurm: joined by srun with PMIx, refused by srun without, started by the tool itself inside an allocation.
set -u

bench=${SHAKEDOWN_BIN:?the folder of the built tools}/all_reduce_bench
sweep=(--backend cpu -b 1K -e 4K -n 2 -w 1)

if [ "${1:-}" != --inside ]; then
  [ "${SHAKEDOWN_MPI:-ON}" = ON ] || { echo "slurm_test.sh: skipped: this build has no MPI module" >&2; exit 77; }
  exec "$(cd "$(dirname "$0")/../support" && pwd)/slurm_node.sh" "$0" --inside
fi

out=$TMPDIR/out
err=$TMPDIR/err
failures=0

run() {
  echo "--- $*"
  status=0
  timeout 60 "$@" > "$out" 2> "$err" || status=$?
}

expect() {  # expect WHAT COMMAND ...
  local what=$1
  shift
  if "$@"; then
    echo "    ok: $what"
  else
    echo "    FAILED: $what"
    echo "    exit $status; stdout and stderr:"
    sed 's/^/      /' "$out" "$err"
    failures=$((failures + 1))
  fi
}

exited() { [ "$status" = "$1" ]; }
on_stdout() { grep -qE -- "$1" "$out"; }
on_stderr() { grep -qE -- "$1" "$err"; }
tables() { [ "$(grep -c 'Verdict:' "$out")" = "$1" ]; }
ranks() { python3 -c 'import json, sys; sys.exit(len(json.load(open(sys.argv[1]))["context"]["ranks"]) != int(sys.argv[2]))' "$out" "$1"; }

pmix_joins() {
  run srun --mpi=pmix -n 2 "$bench" "${sweep[@]}"
  expect "exit 0" exited 0
  expect "one table" tables 1
  expect "of two ranks" on_stdout 'over 2 ranks'
  run srun --mpi=pmix -n 2 "$bench" "${sweep[@]}" --json -
  expect "JSON alone on stdout, of two ranks" ranks 2
}

plain_srun_is_refused() {
  run srun --mpi=none -n 2 "$bench" "${sweep[@]}"
  expect "exit 2" exited 2
  expect "no table" tables 0
  expect "both numbers" on_stderr '\b2\b.*\b1\b|\b1\b.*\b2\b'
  expect "the remedy" on_stderr 'srun --mpi=pmix'
  expect "said once" test "$(grep -c 'srun --mpi=pmix' "$err")" = 1
}

one_task_is_one_rank() {
  run srun --mpi=none -n 1 "$bench" "${sweep[@]}" --ranks 1
  expect "exit 0" exited 0
  expect "of one rank" on_stdout 'over 1 rank\b'
}

allocation_starts_ranks() {
  run salloc -n 2 "$bench" "${sweep[@]}"
  expect "salloc: exit 0" exited 0
  expect "salloc: of two ranks" on_stdout 'over 2 ranks'
  expect "salloc: prints its mpirun line" on_stderr 'mpirun .*-np 2'
  printf '#!/bin/bash\n%s %s\n' "$bench" "${sweep[*]} --json $TMPDIR/batch.json" > "$TMPDIR/job"
  run sbatch --wait -n 2 --output="$TMPDIR/batch.log" "$TMPDIR/job"
  cat "$TMPDIR/batch.log" >> "$err"
  expect "sbatch: exit 0" exited 0
  cp "$TMPDIR/batch.json" "$out" 2> /dev/null
  expect "sbatch: of two ranks" ranks 2
}

stop_by_scancel() {
  echo "--- scancel"
  status=0
  timeout 60 srun --mpi=pmix -n 2 --job-name=long "$bench" --backend cpu -b 64K -e 1G -i 64K --json "$TMPDIR/stopped.json" > "$out" 2> "$err" &
  local step=$!
  until [ "$(python3 -c 'import json, sys; print(len(json.load(open(sys.argv[1]))["results"]))' "$TMPDIR/stopped.json" 2> /dev/null || echo 0)" -ge 3 ]; do
    kill -0 $step 2> /dev/null || break
    sleep 0.1
  done
  scancel --name=long --signal=TERM
  wait $step || status=$?
  expect "not 0" test "$status" != 0
  expect "the rows so far are kept, as a document that is not complete" python3 -c '
import json, sys
document = json.load(open(sys.argv[1]))
sys.exit(document["complete"] or len(document["results"]) < 3)' "$TMPDIR/stopped.json"
}

pmix_joins
plain_srun_is_refused
one_task_is_one_rank
allocation_starts_ranks
stop_by_scancel
[ "$failures" = 0 ] || echo "$failures expectations failed"
exit $((failures > 0))
