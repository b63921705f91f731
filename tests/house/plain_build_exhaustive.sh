#!/usr/bin/env bash
# The build of packagers: no presets, Debian's build type (without optimisation here), no tests. The program
# builds, runs, and gives the same bits as the optimised one.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$1"; exit 1; }
run() { "$@" >"$work/log" 2>&1 || { tail -n 40 "$work/log"; fail "fails: $*"; }; }

run cmake -G Ninja -S "$ROPEWALK_SOURCE" -B "$work/plain" -D CMAKE_CXX_COMPILER="$ROPEWALK_CXX" \
  -D CMAKE_C_COMPILER="$ROPEWALK_CC" -D CMAKE_BUILD_TYPE=None -D BUILD_TESTING=OFF
run cmake --build "$work/plain" --target ropewalk --parallel 1
table() { "$1" table inv-freq --base 10000 --head-dim 8 --format csv --quiet --output - | grep -v '^#'; }
table "$work/plain/ropewalk" >"$work/plain.csv"
table "$ROPEWALK_COMMAND" >"$work/ours.csv"
cmp "$work/plain.csv" "$work/ours.csv" || fail "without optimisation it gives other bits"
