#!/bin/bash
# mpirun.sh RANKS DIRECTORY OPTIONS: rank 0 hands out units on demand, and merges at the end. Set
# MPIRUN_OPTIONS for your machine: --allow-run-as-root (root, as in containers), --oversubscribe (more ranks than
# cores), --hostfile FILE, --mca btl self,tcp (containers without shared memory). If killed, run the same command again.
set -eu
ranks=$1 directory=$2
shift 2
# shellcheck disable=SC2086  # words, not one
exec mpirun -n "$ranks" ${MPIRUN_OPTIONS-} ropewalk sweep "$@" --quiet --output "$directory"
