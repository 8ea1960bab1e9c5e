#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From a bare Debian or Ubuntu to numbers: installs what is missing, builds, and runs all_reduce_bench with the given arguments:
#   scripts/quickstart.sh -b 1M -e 64M
# A second run only measures. stdout is all_reduce_bench's, and so is the exit status once it runs; 1 when it could not be built.
set -euo pipefail

script=quickstart.sh
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$root/scripts/lib/setup.sh"

set_up_build
build_preset release || die "the build failed; its messages are above"
say "running build/release/bin/all_reduce_bench $*"
exec "$root/build/release/bin/all_reduce_bench" "$@"
