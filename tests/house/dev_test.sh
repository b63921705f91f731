#!/usr/bin/env bash
# What ./dev does around a job, with stand-ins for cmake, apt and the program: arguments, exit codes,
# packages.
set -uo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/tree/build/release" "$work/bin"
cp "$ROPEWALK_SOURCE/dev" "$work/tree/dev"
cp -r "$ROPEWALK_SOURCE/.ci" "$work/tree/.ci"
touch "$work/tree/build/release/CMakeCache.txt"
stand_in() { printf '#!/bin/sh\n%s\n' "$2" >"$1"; chmod +x "$1"; }
failures=0
expect() { [ "$2" = "$3" ] || { echo "$1: '$3' is expected, '$2' came"; failures=$((failures + 1)); }; }
dev() { PATH="$work/bin:$PATH" "$work/tree/dev" "$@" >"$work/out" 2>"$work/err"; }

stand_in "$work/bin/cmake" 'exit 0'
stand_in "$work/bin/id" 'echo 0'
stand_in "$work/bin/apt-get" "echo \"\$*\" >>$work/apt"
stand_in "$work/bin/dpkg-query" 'case "$*" in *g++*|*nlohmann*) ;; *) echo installed ;; esac'
stand_in "$work/tree/build/release/ropewalk" 'echo "ran: $*"; exit 1'

dev verify --no-install --config x.json --law "two words"
expect "exit code of a failed law" $? 1
expect "arguments passed on" "$(cat "$work/out")" "ran: verify --config x.json --law two words"
expect "apt left alone" "$(cat "$work/apt" 2>/dev/null)" ""
grep -q 'build: [0-9]* s' "$work/err"
expect "seconds of a phase are printed" $? 0

stand_in "$work/tree/build/release/ropewalk" 'echo "ran: $*"'
dev --no-install bench --quick
expect "benchmarks" $? 0
record=build/bench.json
expect "where benchmarks and their page are written" "$(cat "$work/out")" "ran: bench --out $record --quick
ran: report --quiet --bench $record --output build/report.html --quick"
dev --no-install bench --compare old.json
expect "options of benchmarks" "$(cat "$work/out")" "ran: bench --compare old.json"
dev --no-install bench figures
for figure in error-by-position frontier; do
  grep -q "ran: plot $figure --quiet --bench $record --svg bench/figures/$figure.svg --json" "$work/out"
  expect "$figure is drawn anew" $? 0
done
dev --no-install bench figures extra
expect "an argument of bench figures" $? 2

mkdir -p "$work/tree/build/release/tests"
for program in ropewalk ropewalk_bench tests/test_gpu tests/exhaustive_gpu; do
  # shellcheck disable=SC2016  # the stand-in expands them
  stand_in "$work/tree/build/release/$program" 'echo "'$program' on $ROPEWALK_VULKAN_DEVICE: $1"'
done
dev --no-install device nvidia
expect "what runs on a device" "$(tr '\n' ';' <"$work/out")" "ropewalk on nvidia: devices;tests/test_gpu on nvidia: \
--gtest_brief=1;tests/exhaustive_gpu on nvidia: ;ropewalk on nvidia: verify;ropewalk_bench on nvidia: \
--benchmark_filter=^(vulkan|apply/(vulkan-[^/]*|recipe-glsl)/);"
dev --no-install device one two
expect "two devices" $? 2

# A release: refused before anything is built where release.py refuses the tree, and without flags from the environment.
mkdir -p "$work/tree/src/package"
release=$work/tree/src/package/release.py
printf 'import sys; print("release.py", *sys.argv[1:3]); sys.exit(sys.argv[1] == "check" and 2)\n' >"$release"
stand_in "$work/bin/cmake" "echo \"\$CXXFLAGS \$*\" >>$work/cmake"
CXXFLAGS=-O0 dev --no-install release
expect "a tree that is refused" "$?:$(cat "$work/out" "$work/cmake" 2>/dev/null)" "2:release.py check"
printf 'import sys; print("release.py", *sys.argv[1:3])\n' >"$release"
CXXFLAGS=-O0 dev --no-install release
expect "a release" "$?:$(tr '\n' ';' <"$work/out")" "0:release.py check;release.py make g++;"
expect "what is configured anew" "$(head -n 1 "$work/cmake" | grep -c '^ --preset deb .*--fresh$')" 1
expect "what is built" "$(tail -n 1 "$work/cmake")" \
  " --build --preset deb --target ropewalk ropewalk_bench ropewalk_mpi ropewalk_kernels ropewalk_kernels_static"
dev --no-install release v1
expect "an argument of release" $? 2
stand_in "$work/bin/cmake" 'exit 0'

# Fuzzing: inputs are copied, a finding is named and makes the exit code 1.
corpus=$work/tree/tests/fuzz/corpus
mkdir -p "$corpus/one" "$corpus/two" "$work/tree/build/fuzz/tests/fuzz"
touch "$work/tree/tests/fuzz/one_target.cpp" "$work/tree/tests/fuzz/two_target.cpp" "$corpus/one/a" "$corpus/two/b"
# shellcheck disable=SC2016  # the stand-ins expand them
stand_in "$work/tree/build/fuzz/tests/fuzz/fuzz_one" 'for at in "$@"; do :; done; ls "$at" >&2; touch "$at/new"
echo "stat::number_of_executed_units: 42"'
# shellcheck disable=SC2016
stand_in "$work/tree/build/fuzz/tests/fuzz/fuzz_two" 'for at in "$@"; do
case $at in -artifact_prefix=*) sleep 0.01; touch "${at#*=}crash-1" ;; esac; done; exit 77'
dev --no-install fuzz one 5
expect "a target without findings" $?:"$(cat "$work/out")" "0:one: 42 executions, 0 findings"
expect "the committed inputs" "$(head -n 1 "$work/tree/build/fuzz/runs/one/log"):$(ls "$corpus/one")" a:a
dev --no-install fuzz 5
expect "all targets, with a finding" $? 1
runs=$work/tree/build/fuzz/runs
expect "the path of a finding's input" "$(tail -n 1 "$work/out")" \
  "two: 0 executions, 1 finding: $runs/two/findings/crash-1 (log: $runs/two/log)"
for arguments in three "one 0" "one 5 6" "5 one"; do
  # shellcheck disable=SC2086  # words of their own
  dev --no-install fuzz $arguments
  expect "arguments $arguments" $? 2
done

stand_in "$work/tree/build/release/ropewalk" 'exit 0'
dev verify
expect "exit code of success" $? 0
grep -qx 'dev: installing g++ nlohmann-json3-dev' "$work/err"
expect "missing packages are printed" $? 0
expect "only missing packages are installed" "$(grep -o 'no-install-recommends.*' "$work/apt")" \
  "no-install-recommends g++ nlohmann-json3-dev"

stand_in "$work/bin/apt-get" 'exit 100'
dev verify
expect "failed installation" $? 3

stand_in "$work/bin/id" 'echo 1000'
# shellcheck disable=SC2016  # the stand-in expands them
stand_in "$work/bin/sudo" 'echo "$1" >>'"$work/sudo"'; exec "$@"'
stand_in "$work/bin/apt-get" 'exit 0'
dev verify
expect "installation through sudo" $? 0
expect "what sudo was asked" "$(sort -u "$work/sudo" | tr '\n' ' ')" "apt-get env "

stand_in "$work/bin/cmake" 'echo "no such preset"; exit 9'
dev --no-install verify
expect "failed configuration" $? 9
grep -q 'no such preset' "$work/err"
expect "its message is shown" $? 0

dev time
expect "no record of times" $? 3
grep -q 'times.tsv is missing' "$work/err"
expect "the missing record is named" $? 0
dev time --nonsense
expect "an argument of time" $? 2

dev --no-install nonsense
expect "unknown job" $? 2
grep -q "nonsense.*allowed: verify, test" "$work/err"
expect "unknown job is named" $? 0
dev
expect "no job" $? 2
dev --help
expect "help" $? 0
dev format --nonsense
expect "unknown argument" $? 2
dev engines --nonsense
expect "an argument of engines" $? 2

stand_in "$work/bin/cmake" 'exit 0'
stand_in "$work/bin/clang-tidy-19" 'echo "2 warnings generated." >&2; exit 0'
dev --no-install tidy src/one.cpp "src/two words.cpp"
expect "no findings" $? 0
expect "what is printed then" "$(cat "$work/out")" ""
# shellcheck disable=SC2016  # the stand-in expands them
stand_in "$work/bin/clang-tidy-19" 'printf "%s\n" "a.hpp:1:1: error: wrong [check]" "    1 | wrong"; echo "$2: seen"; exit 1'
dev --no-install tidy src/one.cpp "src/two words.cpp"
expect "findings" $? 1
expect "a finding of two files" "$(grep -c 'a.hpp:1:1' "$work/out")" 1
dev bench nonsense
expect "unknown benchmark" $? 2
[ $failures = 0 ]
