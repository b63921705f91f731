#!/usr/bin/env bash
# cmake --install, then a project in an empty directory that finds the package and uses it.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }

run cmake --install "$ROPEWALK_BUILD" --prefix "$work/prefix"
cp -r "$ROPEWALK_SOURCE/tests/house/consumer" "$work/consumer"
cp "$ROPEWALK_SOURCE/src/model/catalogue/llama-3.1-8b.json" "$work/consumer/config.json"
run cmake -G Ninja -S "$work/consumer" -B "$work/build" -D CMAKE_PREFIX_PATH="$work/prefix" \
  -D CMAKE_CXX_COMPILER="$ROPEWALK_CXX" -D CMAKE_C_COMPILER="$ROPEWALK_CC"
run cmake --build "$work/build"
"$work/build/headers_only"
"$work/build/kernels"
"$work/build/tables"

# The installed program stands on its own, and says the version that the package has.
version=$(sed -n 's/.*version = "\(.*\)".*/\1/p' "$ROPEWALK_SOURCE/include/ropewalk/version.hpp")
"$work/prefix/bin/ropewalk" --version | grep -qF "$version"
grep -rqF "\"$version\"" "$work/prefix" --include=ropewalkConfigVersion.cmake

# Asking for a version that is not there fails.
sed -i "s/find_package(ropewalk/& 99/" "$work/consumer/CMakeLists.txt"
if cmake -G Ninja -S "$work/consumer" -B "$work/wrong" -D CMAKE_PREFIX_PATH="$work/prefix" >"$work/log" 2>&1; then
  echo "version 99 was found"
  exit 1
fi
