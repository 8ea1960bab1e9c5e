#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# From a bare Debian or Ubuntu to numbers: installs what is missing, builds, and runs all_reduce_bench, or the tool that is named first, with
# the given arguments:
#   scripts/quickstart.sh -b 1M -e 64M
#   scripts/quickstart.sh mamf_finder --dtype float32
# A second run only measures. stdout is the tool's, and so is the exit status once it runs; 1 when it could not be built.
set -euo pipefail

script=quickstart.sh
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source "$root/scripts/lib/setup.sh"

tool=all_reduce_bench
case ${1:-} in
  all_reduce_bench | mamf_finder)
    tool=$1
    shift
    ;;
esac
set_up_build
build_preset release || die "the build failed; its messages are above"
say "running build/release/bin/$tool $*"
exec "$root/build/release/bin/$tool" "$@"
