#!/usr/bin/env bash
# The configuration of packagers: no presets, another build type, no tests. Warnings are not errors.
# BUILD_TESTING decides whether tests are configured, and ROPEWALK_TESTS overrides it.
# plain_build_exhaustive.sh builds such a tree.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "$1"; exit 1; }

configure() {  # configure NAME ARGUMENTS...
  local name=$1
  shift
  cmake -G Ninja -S "$ROPEWALK_SOURCE" -B "$work/$name" -D CMAKE_CXX_COMPILER="$ROPEWALK_CXX" \
    -D CMAKE_C_COMPILER="$ROPEWALK_CC" "$@" >"$work/log" 2>&1 ||
    { tail -n 40 "$work/log"; fail "fails: cmake $*"; }
}
has_tests() { [ -f "$work/$1/tests/CTestTestfile.cmake" ]; }

configure tested -D CMAKE_BUILD_TYPE=Release
has_tests tested || fail "a plain configuration has no tests"
! grep -q "FLAGS = .*-Werror" "$work/tested/build.ninja" ||
  fail "a plain configuration makes errors of warnings"
configure asked -D BUILD_TESTING=OFF -D ROPEWALK_TESTS=ON
has_tests asked || fail "ROPEWALK_TESTS=ON does not override BUILD_TESTING=OFF"
configure plain -D CMAKE_BUILD_TYPE=None -D BUILD_TESTING=OFF
! has_tests plain || fail "BUILD_TESTING=OFF configures tests"
