#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Hosts host1, host2 ... on one machine, for the length of one command, which runs on host1:
#   hosts_as_namespaces.sh [--hosts N] [--fault SHELL] COMMAND [ARG ...]
#
# Each host is a network, process, mount and host-name namespace with its own boot id and /dev/shm, and two networks: eth0 (10.77.0.x) for
# data and mgmt0 (10.78.0.x) for control, so that a fault on the data network leaves mpirun alive. `mpirun --host host1,host2` reaches all.
# SHELL runs beside the command, outside the hosts, in bash: `on host2 COMMAND` acts on a host, `pids_on host2 NAME` lists its processes of
# that name, `power_off host2` ends all of them at once. Examples: on host2 ip link set eth0 down;
#   kill -9 $(pids_on host2 all_reduce_bench);   on host2 tc qdisc add dev eth0 root netem delay 20ms loss 1%
# The kernel removes all of it when the command ends or this script is killed.
# Exit: the command's status; 77, with the reason on stderr, where namespaces cannot be made.
set -eu

work=/run/shakedown-hosts

skip() {
  echo "hosts_as_namespaces.sh: skipped: $*" >&2
  exit 77
}

check_machine() {
  [ "$(id -u)" = 0 ] || skip "needs root"
  local tool
  for tool in unshare ip nsenter pgrep python3 mpirun; do
    command -v "$tool" > /dev/null || skip "$tool not found (apt-get install iproute2 util-linux procps python3 openmpi-bin)"
  done
  unshare --net --pid --mount --uts --fork ip link add name probe type bridge 2> /dev/null ||
    skip "may not create namespaces and bridges (container without CAP_SYS_ADMIN?)"
}

prepare_networks() {
  mount --make-rprivate /
  mount -t tmpfs -o mode=755 tmpfs /run
  mkdir -p "$work/tmp"
  ip link add data type bridge
  ip link add mgmt type bridge
  ip link set data up
  ip link set mgmt up
  printf '127.0.0.1 localhost\n' > "$work/hosts"
}

attach() {  # attach HOST-NUMBER INTERFACE BRIDGE ADDRESS
  ip link add "$3$1" type veth peer name "$2" netns "host$1"
  ip link set "$3$1" master "$3" up
  ip -n "host$1" addr add "$4/24" dev "$2"
  ip -n "host$1" link set "$2" up
}

# A host's namespaces are held by a sleeping process, its process 1.
add_host() {
  local i=$1 name=host$1
  ip netns add "$name"
  ip -n "$name" link set lo up
  attach "$i" eth0 data "10.77.0.$i"
  attach "$i" mgmt0 mgmt "10.78.0.$i"
  printf '10.78.0.%s %s\n' "$i" "$name" >> "$work/hosts"
  cat /proc/sys/kernel/random/uuid > "$work/boot-id$i"
  cat > "$work/boot$i" << BOOT
hostname $name
mount --bind $work/boot-id$i /proc/sys/kernel/random/boot_id
mount --bind $work/hosts /etc/hosts
mount -t tmpfs -o size=256m,mode=1777 tmpfs /dev/shm
touch $work/ready$i
exec sleep infinity
BOOT
  ip netns exec "$name" unshare --pid --mount --uts --ipc --fork --mount-proc sh -e "$work/boot$i" < /dev/null &
  until [ -e "$work/ready$i" ]; do
    kill -0 $! 2> /dev/null || return 1
    sleep 0.02
  done
  pgrep --parent $! > "$work/pid.$name"
}

start_agent() {
  local server
  server="$(cd "$(dirname "$0")" && pwd)/host_agent.py"
  printf '#!/bin/sh\nexec "%s" "%s" "$@"\n' "$server" "$work/agent.socket" > "$work/agent"
  chmod +x "$work/agent"
  "$server" --serve "$work/agent.socket" "$work" < /dev/null &
  until [ -S "$work/agent.socket" ]; do
    kill -0 $! 2> /dev/null || return 1
    sleep 0.02
  done
}

on() {
  local holder
  holder=$(cat "$work/pid.$1")
  shift
  nsenter --target "$holder" --net --pid --mount --uts --ipc "$@"
}

pids_on() {
  ip netns pids "$1" | while read -r pid; do
    [ "$(cat "/proc/$pid/comm" 2> /dev/null)" != "${2:0:15}" ] || echo "$pid"
  done
}

power_off() {
  kill -9 "$(cat "$work/pid.$1")"
}

set_up_mpi() {
  export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
  export OMPI_MCA_plm_rsh_agent="$work/agent" OMPI_MCA_orte_tmpdir_base="$work/tmp"
  export OMPI_MCA_oob_tcp_if_include=10.78.0.0/24 OMPI_MCA_btl_tcp_if_include=10.77.0.0/24
}

# Runs as process 1 of the outer namespace: when it ends, the kernel ends the hosts.
inside() {
  local hosts=$1 fault=$2 status=0 i
  shift 2
  prepare_networks || skip "could not prepare the networks"
  start_agent || skip "could not start the agent between the hosts"
  for ((i = 1; i <= hosts; i++)); do
    add_host "$i" || skip "could not start host$i"
  done
  set_up_mpi
  export work
  export -f on pids_on power_off
  [ -z "$fault" ] || bash -c "$fault" < /dev/null >&2 &
  on host1 "$@" || status=$?
  exit "$status"
}

hosts=2
fault=
here=${SHAKEDOWN_HOSTS_INSIDE:-}
unset SHAKEDOWN_HOSTS_INSIDE
arguments=("$@")
while [ $# -gt 0 ]; do
  case $1 in
    --hosts) hosts=$2; shift 2 ;;
    --fault) fault=$2; shift 2 ;;
    *) break ;;
  esac
done
[ $# -gt 0 ] || { echo "usage: hosts_as_namespaces.sh [--hosts N] [--fault SHELL] COMMAND [ARG ...]" >&2; exit 2; }
if [ "$here" = 1 ]; then
  inside "$hosts" "$fault" "$@"
fi
check_machine
exec env SHAKEDOWN_HOSTS_INSIDE=1 unshare --net --pid --mount --uts --ipc --fork --kill-child --mount-proc "$0" "${arguments[@]}"
