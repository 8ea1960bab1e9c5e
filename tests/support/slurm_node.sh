#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A one-node Slurm for the length of one command:   slurm_node.sh COMMAND [ARG ...]
#
# Daemons, configuration, key, spool, logs and ports live in namespaces of their own (network, process, mount, host name), so they neither
# see nor disturb a Slurm of the machine, and the kernel removes all of it when the command ends or this script is killed.
# Exit: the command's status; 77, with the reason on stderr, where such a node cannot be started.
set -eu

node=shakedown-node
address=10.79.0.1
cores=4  # what the node claims to have: enough for 2 ranks and a step beside them, whatever the machine has
work=/run/shakedown-slurm

skip() {
  echo "slurm_node.sh: skipped: $*" >&2
  exit 77
}

check_machine() {
  [ "$(id -u)" = 0 ] || skip "needs root"
  local tool
  for tool in unshare ip munged mungekey slurmctld slurmd srun sinfo; do
    PATH="$PATH:/usr/sbin:/sbin" command -v "$tool" > /dev/null ||
      skip "$tool not found (apt-get install munge slurmctld slurmd slurm-client slurm-wlm-basic-plugins iproute2 util-linux)"
  done
  unshare --net --pid --mount --uts --fork true 2> /dev/null || skip "may not create namespaces (container without CAP_SYS_ADMIN?)"
}

write_configuration() {
  cat > "$work/slurm.conf" << CONF
ClusterName=shakedown
SlurmctldHost=$node($address)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
StateSaveLocation=$work/ctld
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SlurmdParameters=config_overrides
ReturnToService=2
MpiDefault=none
NodeName=$node NodeAddr=$address CPUs=$cores State=UNKNOWN
PartitionName=all Nodes=$node Default=YES MaxTime=INFINITE State=UP
CONF
}

prepare_namespaces() {
  mount --make-rprivate /
  mount -t tmpfs -o mode=755 tmpfs /run
  mount -t tmpfs -o mode=1777 tmpfs /dev/shm
  mkdir -p "$work/ctld" "$work/spool" /run/munge
  mkdir -m 1777 "$work/tmp"
  hostname "$node"
  printf '127.0.0.1 localhost\n%s %s\n' "$address" "$node" > "$work/hosts"
  mount --bind "$work/hosts" /etc/hosts
  ip link set lo up
  # Slurm resolves even plain addresses with AI_ADDRCONFIG, which wants an interface beside the loopback.
  ip link add eth0 type veth peer name eth1
  ip addr add "$address/24" dev eth0
  ip link set eth0 up
  ip link set eth1 up
}

start_daemons() {
  mungekey --create --keyfile "$work/munge.key"
  munged --force --key-file "$work/munge.key" --log-file "$work/munged.log" --pid-file "$work/munged.pid" \
    --seed-file "$work/munged.seed" --socket /run/munge/munge.socket.2
  slurmctld -c -f "$work/slurm.conf"
  slurmd -N "$node" -f "$work/slurm.conf"
}

wait_until_idle() {
  local deadline=$((SECONDS + 20))
  until [ "$(timeout 2 sinfo --noheader --format=%T 2> /dev/null)" = idle ]; do
    if [ "$SECONDS" -ge "$deadline" ]; then
      echo "slurm_node.sh: the node is not idle after 20 s; the daemons say:" >&2
      tail -n 20 "$work"/*.log >&2
      return 1
    fi
    sleep 0.1
  done
}

# Runs as process 1 of the new namespace: when it ends, the kernel kills the daemons.
inside() {
  export PATH="$PATH:/usr/sbin:/sbin" SLURM_CONF="$work/slurm.conf"
  prepare_namespaces || skip "could not prepare the namespaces"
  export TMPDIR="$work/tmp"
  write_configuration
  { start_daemons && wait_until_idle; } >&2 || skip "the daemons did not start (their messages are above)"
  local status=0
  "$@" || status=$?
  exit "$status"
}

[ $# -gt 0 ] || { echo "usage: slurm_node.sh COMMAND [ARG ...]" >&2; exit 2; }
if [ "${SHAKEDOWN_SLURM_INSIDE:-}" = 1 ]; then
  unset SHAKEDOWN_SLURM_INSIDE
  inside "$@"
fi
check_machine
exec env SHAKEDOWN_SLURM_INSIDE=1 unshare --net --pid --mount --uts --ipc --fork --kill-child --mount-proc "$0" "$@"
