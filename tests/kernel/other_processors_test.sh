#!/usr/bin/env bash
# The program starts on processors that lack what this machine has, and offers them the best target that they do
# have: on an emulated processor an instruction that it lacks ends the process.
set -euo pipefail
emulator=qemu-x86_64
[ "$(uname -m)" = x86_64 ] || { echo "skipped: this machine is no x86-64"; exit 77; }
command -v $emulator >/dev/null || { echo "skipped: $emulator is not installed"; exit 77; }
failures=0
while read -r processor best; do
  listed=$($emulator -cpu "$processor" "$ROPEWALK_COMMAND" verify --list 2>&1) ||
    { echo "$processor: verify --list ends with $?"; failures=$((failures + 1)); continue; }
  grep -q "cpu-turns-$best" <<<"$listed" && continue
  echo "$processor: no kernel for $best; there are $(grep -o 'cpu-turns-[a-z0-9-]*' <<<"$listed" | tr '\n' ' ')"
  failures=$((failures + 1))
done <<PROCESSORS
Haswell avx2
Westmere sse4
core2duo scalar
qemu64 scalar
PROCESSORS
[ $failures = 0 ]
