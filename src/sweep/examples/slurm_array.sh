#!/bin/bash
# sbatch src/sweep/examples/slurm_array.sh results --model llama-3.1-8b; every task does its share on one core.
# When all have ended: ropewalk sweep --merge results --output merged. If a task was killed, submit the whole
# array again, which does the rest, or use scontrol requeue JOB_TASK. Arrays are 1-N.
#SBATCH --array=1-64
#SBATCH --cpus-per-task=1
set -eu
directory=$1
shift
exec ropewalk sweep "$@" --quiet --output "$directory" --threads "${SLURM_CPUS_PER_TASK:-1}" \
  --shard "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT"
