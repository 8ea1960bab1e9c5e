#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Builds preset ci and runs the tests; arguments are handed on to ctest:   scripts/test.sh -L unit
# Installs what is missing where it can. Tests that cannot run here are skipped with a reason. Exit status: ctest's.
set -euo pipefail

script=test.sh
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$root/scripts/lib/setup.sh"

build_packages+=(libgtest-dev python3)
# Tests skip themselves where these are missing.
wanted=(faketime python3-jsonschema iproute2 procps util-linux)
# A package's daemons are started by systemd at once; on a developer's own machine that would be no favour.
if [ ! -d /run/systemd/system ] || [ -n "${CI:-}" ]; then
  wanted+=(munge slurmctld slurmd slurm-client slurm-wlm-basic-plugins)
fi

set_up_build
if is_debian; then
  absent=$(missing_of "${wanted[@]}")
  # shellcheck disable=SC2086  # one word a package
  [ -z "$absent" ] || install_packages $absent || say "going on; the tests that need $absent skip themselves"
fi
build_preset ci || die "the build failed; its messages are above"
# CTest runs tests that cannot share the machine (RUN_SERIAL) alone.
exec ctest --test-dir "$root/build/ci" --output-on-failure --no-tests=error --parallel 2 "$@"
