#!/bin/bash
# gnu_parallel.sh HOSTS DIRECTORY SHARDS OPTIONS: runs shards on hosts over ssh (1/: is one job here), in a directory that all share.
# --retries moves a shard from a failed host to another one; finished shards are not repeated.
set -eu
hosts=$1 directory=$(realpath -m "$2") shards=$3
shift 3
mkdir -p "$directory"
seq "$shards" | parallel --sshlogin "$hosts" --retries 3 \
  ropewalk sweep "$@" --quiet --threads 1 --output "$directory" --shard "{}/$shards"
ropewalk sweep --quiet --merge "$directory" --output "$directory/merged"
