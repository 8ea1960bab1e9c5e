# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# What quickstart.sh and test.sh share: find what the build needs, install what is missing, build a preset. Sourced by bash; every message
# goes to stderr, since stdout is the tool's. The caller sets `script` (its name) and `root` (of the source tree).
: "${script:?}" "${root:?}"

cmake_wanted=3.25
build_packages=(g++ cmake ninja-build libopenmpi-dev openmpi-bin libcli11-dev libfmt-dev nlohmann-json3-dev libdnnl-dev libopenblas-dev)

say() { echo "$script: $*" >&2; }

die() {
  say "$@"
  exit 1
}

have() { command -v "$1" > /dev/null 2>&1; }

# at_least WANTED VERSION
at_least() { [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]; }

cmake_version() { cmake --version 2> /dev/null | sed -n '1s/.* //p'; }

is_debian() { have apt-get && have dpkg-query; }

is_installed() { [ "$(dpkg-query --show --showformat='${db:Status-Status}' "$1" 2> /dev/null)" = installed ]; }

# A package is there, too, when the commands that it stands for came from elsewhere (pip's cmake, a compiler module).
is_present() {
  case $1 in
    g++) have g++ || have c++ ;;
    cmake) have cmake ;;  # one that is too old is check_cmake's affair
    ninja-build) have ninja || have make ;;
    iproute2) have ip ;;
    procps) have pgrep ;;
    util-linux) have unshare ;;
    faketime) have faketime ;;
    python3) have python3 ;;
    openmpi-bin) have mpirun && { have ompi_info || is_installed openmpi-bin; } ;;
    munge) have munged || [ -x /usr/sbin/munged ] ;;
    slurmctld | slurmd) have "$1" || [ -x "/usr/sbin/$1" ] ;;
    slurm-client) have srun ;;
    *) is_installed "$1" ;;
  esac
}

# missing_of PACKAGE ... prints those that are not there, on one line.
missing_of() {
  local package missing=()
  for package in "$@"; do
    is_present "$package" || missing+=("$package")
  done
  echo "${missing[*]}"
}

# The words that make a command root's; fails when there is no way.
find_root() {
  as_root=()
  [ "$(id -u)" = 0 ] && return
  have sudo || return 1
  # Without a terminal sudo can't ask, and must not hang.
  if sudo -n true 2> /dev/null; then as_root=(sudo -n); elif [ -t 0 ]; then as_root=(sudo); else return 1; fi
}

# install_packages PACKAGE ... : false when they could not be installed, with the reason told.
install_packages() {
  local line=(apt-get install -y --no-install-recommends "$@")
  if ! find_root; then
    say "missing: $*; this is not root, and there is no sudo that could be asked here. Please have an administrator run"
    say "  ${line[*]}"
    return 1
  fi
  say "installing $*"
  "${as_root[@]}" apt-get update -q >&2 < /dev/null || say "apt-get update failed; trying with the lists that are there"
  if ! "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "${line[@]}" >&2 < /dev/null; then
    say "this failed: ${line[*]}"
    return 1
  fi
}

# require PACKAGE ... : all of them are there afterwards, or the script has ended with a message.
require() {
  local missing
  missing=$(missing_of "$@")
  [ -n "$missing" ] || return 0
  # shellcheck disable=SC2086  # one word a package
  install_packages $missing || exit 1
}

# Other distributions: only the commands can be checked; CMake finds or misses the libraries.
require_commands() {
  local tool missing=()
  for tool in g++ cmake mpirun; do
    have "$tool" || missing+=("$tool")
  done
  have ninja || have make || missing+=("ninja or make")
  [ ${#missing[@]} = 0 ] || {
    say "this is neither Debian nor Ubuntu, so nothing is installed by itself. Missing: ${missing[*]}"
    die "please install g++ 12 or later, cmake $cmake_wanted or later, ninja, Open MPI, CLI11, fmt and nlohmann-json with their headers"
  }
  say "this is neither Debian nor Ubuntu: taking Open MPI, CLI11, fmt and nlohmann-json as CMake finds them"
}

check_cmake() {
  local version
  version=$(cmake_version)
  at_least "$cmake_wanted" "${version:-0}" && return
  say "CMake $cmake_wanted or later is needed; ${version:+there is }${version:-there is none}. A newer one without root:"
  die "  python3 -m venv ~/cmake && ~/cmake/bin/pip install cmake && export PATH=~/cmake/bin:\$PATH     (or: pip install --user cmake)"
}

has_gpu() {
  [ -e /dev/nvidia0 ] || [ -d /proc/driver/nvidia/gpus ] || { have nvidia-smi && nvidia-smi -L 2> /dev/null | grep -q GPU; }
}

find_nvcc() {
  if ! have nvcc && [ -x /usr/local/cuda/bin/nvcc ]; then
    PATH="$PATH:/usr/local/cuda/bin"
  fi
  have nvcc
}

has_nccl() {
  local root
  for root in "${NCCL_ROOT:-}" "${NCCL_HOME:-}" /usr/local/cuda /usr /usr/local; do
    [ -n "$root" ] && [ -e "$root/include/nccl.h" ] && return
  done
  [ -e "/usr/include/$(uname -m)-linux-gnu/nccl.h" ]
}

# A GPU without what its module is built with: say what to install and where it comes from; no repository is ever added here.
explain_gpu() {
  has_gpu || return 0
  local missing=()
  find_nvcc || missing+=("nvcc (apt-get install cuda-toolkit)")
  has_nccl || missing+=("NCCL (apt-get install libnccl2 libnccl-dev, or NCCL_ROOT=/path)")
  [ ${#missing[@]} = 0 ] && return
  say "there is a GPU here, but to measure it these are missing:"
  printf "$script:   %s\n" "${missing[@]}" >&2
  say "both come from NVIDIA's repository: https://docs.nvidia.com/cuda/cuda-installation-guide-linux/"
  say "and https://docs.nvidia.com/deeplearning/nccl/install-guide/. Going on with the CPU; run this again afterwards."
}

# build_preset NAME [-D ...]. What AUTO resolved to stays in CMake's cache, so a toolkit or an MPI that came later, or a moved tree, needs a
# fresh one.
build_preset() {
  local preset=$1 build=$root/build/$1 fresh=() generator=() found
  shift
  found="root=$root nvcc=$(find_nvcc && command -v nvcc) nccl=$(has_nccl && echo yes) mpicc=$(command -v mpicc) cmake=$(command -v cmake) $*"
  if [ "$(cat "$build/found" 2> /dev/null)" != "$found" ]; then
    [ ! -e "$build/CMakeCache.txt" ] || fresh=(--fresh)
    if have ninja; then generator=(-G Ninja); else generator=(-G "Unix Makefiles"); fi
    ! have ccache || generator+=(-D CMAKE_CXX_COMPILER_LAUNCHER=ccache)
    say "configuring build/$preset"
    (cd "$root" && cmake --preset "$preset" ${fresh[@]+"${fresh[@]}"} "${generator[@]}" "$@") >&2 || return
    echo "$found" > "$build/found"
  fi
  say "building build/$preset"
  cmake --build "$build" --parallel "$(nproc)" >&2
}

# The tools and libraries of the build, and a word about a GPU that cannot be used.
set_up_build() {
  if is_debian; then require "${build_packages[@]}"; else require_commands; fi
  check_cmake
  explain_gpu
}
