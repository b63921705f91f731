#!/usr/bin/env bash
# slurm_array.sh under a real Slurm of one node: an array, an array of which a task is cancelled and one of
# which a task is requeued give the bytes of one process. Slurm runs in namespaces of its own, with its files
# in a temporary file system; all of it ends with this script.
set -euo pipefail
for tool in munged slurmctld slurmd sbatch ip setpriv unshare; do
  command -v $tool >/dev/null || { echo "skipped: $tool is not installed; nothing ran under Slurm"; exit 77; }
done
if [ "${1-}" != --inside ]; then
  own=(setpriv --pdeathsig KILL unshare --pid --fork --kill-child --mount-proc --net --uts)
  "${own[@]}" true 2>/dev/null || { echo "skipped: no namespaces allowed; nothing ran under Slurm"; exit 77; }
  work=$(mktemp -d)
  trap 'rmdir "$work"' EXIT
  trap 'exit 1' HUP INT TERM
  "${own[@]}" bash "$0" --inside "$work" &
  wait $! && code=0 || code=$?
  exit $code
fi

work=$2
script=$ROPEWALK_SOURCE/src/sweep/examples/slurm_array.sh
PATH=$(dirname "$ROPEWALK_COMMAND"):$PATH
export SLURM_CONF=$work/slurm.conf
mount -t tmpfs -o mode=711 tmpfs "$work"  # 711: munged asks it of its socket's directory
cd "$work"
skip() { echo "skipped: $*; nothing ran under Slurm"; exit 77; }
fail() { echo "$*"; exit 1; }
within() {  # within SECONDS COMMAND...: until the command succeeds
  local end=$((SECONDS + $1))
  while ! "${@:2}" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.1
  done
}

# A name is not looked up where 127.0.0.1 is the only address: lo gets one that is for documentation.
hostname node
ip link set lo up
ip address add 192.0.2.1 dev lo
echo 192.0.2.1 node >hosts
mount --bind hosts /etc/hosts
# cred_expire is how long a requeued task waits before it begins.
cat >slurm.conf <<TXT
ClusterName=test
SlurmctldHost=node(192.0.2.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket,cred_expire=5
StateSaveLocation=$work
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
MailProg=/bin/true
SchedulerParameters=bf_interval=1,sched_interval=1
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
NodeName=node NodeAddr=192.0.2.1 CPUs=3
PartitionName=all Nodes=node Default=YES
TXT
head -c 128 /dev/urandom >key
chmod 600 key
munged --foreground --force --key-file="$work/key" --socket="$work/munge.socket" \
  --pid-file="$work/munged.pid" --seed-file="$work/seed" &>munged.log &
within 10 test -S munge.socket || skip "munged does not start: $(tail -n 1 munged.log)"
slurmctld -D &>slurmctld.log &
slurmd -D &>slurmd.log &
idle() { [ "$(sinfo --noheader --format=%t)" = idle ]; }
within 20 idle || skip "no idle node: $(tail -n 1 slurmctld.log) $(tail -n 1 slurmd.log)"
echo "Slurm $(slurmctld -V | cut -d ' ' -f 2) started in $SECONDS s"

which=(--model llama-3.1-8b --positions 262144)
array() { sbatch --parsable --wait --array=1-3 "$script" "$1" "${which[@]}"; }
whole() { ropewalk sweep "${which[@]}" --quiet --threads 1 --output "$1" >/dev/null; }
same() {  # same DIRECTORY WHOLE
  ropewalk sweep --quiet --merge "$1" --output "$1-merged" >/dev/null
  cmp "$1-merged/result.json" "$2/result.json"
}
begin=$SECONDS
whole small
array undisturbed >/dev/null || fail "sbatch exits with $?: $(cat slurm-*.out)"
[ "$(cat undisturbed/part-*.jsonl | wc -l)" = 64 ] || fail "not 64 units once: $(wc -l undisturbed/part-*)"
same undisturbed small
echo "an array: $((SECONDS - begin)) s"

if [ -e "$(dirname "$ROPEWALK_COMMAND")/libropewalk_mpi.so" ] && srun --mpi=list 2>&1 | grep -qw pmix; then
  begin=$SECONDS
  srun --ntasks=2 --mpi=pmix --kill-on-bad-exit=1 \
    ropewalk sweep "${which[@]}" --quiet --output ranks &>ranks.log ||
    fail "srun exits with $?: $(cat ranks.log)"
  [ -e ranks/part-rank-1.jsonl ] || fail "the ranks were two runs"
  cmp ranks/result.json small/result.json
  echo "two ranks by srun: $((SECONDS - begin)) s"
else
  echo "the module for MPI or Slurm's PMIx is not installed, and srun not tested"
fi

ended() { squeue --noheader --states=running,completing --job="$1" >queue && [ ! -s queue ]; }
# amid DIRECTORY COMMAND...: submits, and has the command act on the second task once it has done a unit.
amid() {
  array "$1" >"$1.job" &
  within 60 test -s "$1/part-shard-2-of-3.jsonl" || fail "the second task did nothing: $(cat slurm-*.out)"
  "${@:2}" "$(cat "$1.job")_2"
  within 60 ended "$(cat "$1.job")_2" || fail "$2: the task runs on"
  cp "$1/part-shard-2-of-3.jsonl" "$1.before"
  [ "$(wc -l <"$1.before")" -lt 20 ] || fail "$2: the task had done its units"
  wait $! && code=0 || code=$?
}
which=(--model llama-3.1-8b --positions 67108864)
begin=$SECONDS
whole large
amid cancelled scancel
[ $code != 0 ] || fail "sbatch exits with 0 although a task was cancelled"
ropewalk sweep --quiet --merge cancelled --output partial &>/dev/null && code=0 || code=$?
[ $code = 3 ] || fail "a merge without the task's units exits with $code"
array cancelled >/dev/null || fail "sbatch exits with $? at the second time: $(cat slurm-*.out)"
head -n "$(wc -l <cancelled.before)" cancelled.before | grep -vqxFf cancelled/part-shard-2-of-3.jsonl &&
  fail "a cancelled task's units were thrown away"
same cancelled large
echo "a task cancelled after $(wc -l <cancelled.before) units, all submitted again: $((SECONDS - begin)) s"

begin=$SECONDS
amid requeued scontrol requeue
[ $code = 0 ] || fail "sbatch exits with $code: $(cat slurm-*.out)"
scontrol show job "$(cat requeued.job)_2" | grep -q Restarts=1 || fail "the task was not requeued"
same requeued large
echo "a task requeued after $(wc -l <requeued.before) units: $((SECONDS - begin)) s"
