#!/usr/bin/env bash
# Runs cmake --install, then builds users with only the installed tree: a CMake project, a Makefile with
# pkg-config, and Python's ctypes.
set -euo pipefail
if grep -q '^CMAKE_CXX_FLAGS:.*-fsanitize' "$ROPEWALK_BUILD/CMakeCache.txt"; then
  echo "skipped: a library with sanitizers wants them in its users too"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }
fail() { echo "consumer: $*"; exit 1; }

# The installed tree is relocatable.
run cmake --install "$ROPEWALK_BUILD" --prefix "$work/first"
mv "$work/first" "$work/prefix"
library=$(dirname "$(find "$work/prefix" -name libropewalk_kernels.so)")
cp -r "$ROPEWALK_SOURCE/tests/house/consumer" "$work/consumer"
cp "$ROPEWALK_SOURCE/src/model/catalogue/llama-3.1-8b.json" "$work/consumer/config.json"
configure() {  # configure BUILD ARGUMENTS...
  cmake -G Ninja -S "$work/consumer" -B "$work/$1" -D CMAKE_PREFIX_PATH="$work/prefix" \
    -D CMAKE_CXX_COMPILER="$ROPEWALK_CXX" -D CMAKE_C_COMPILER="$ROPEWALK_CC" "${@:2}"
}
run configure build
run cmake --build "$work/build"
for program in headers_only laws run_time run_time_exact tables compiled_tables {c,cpp}_{shared,static}; do
  run "$work/build/$program"
done
cmp <("$work/build/run_time") <("$work/build/run_time_exact") ||
  fail "ropewalk::exact gives other numbers than the headers"
size_of() { stat -c %s "$work/build/CMakeFiles/$1.dir/run_time.cpp.o"; }
[ "$(size_of run_time_exact)" -lt $(($(size_of run_time) / 10)) ] ||
  fail "ropewalk::exact leaves $(size_of run_time_exact) bytes to compile of the headers' $(size_of run_time)"
needs() { readelf --dynamic "$1" | sed -n 's/.*NEEDED.*\[\(.*\)\.so.*/\1/p'; }
needs "$work/build/c_shared" | grep -qx libropewalk_kernels || fail "the shared library is not linked"
! needs "$work/build/c_static" | grep -qx libropewalk_kernels || fail "the archive is not linked"

# The same by make.
export PKG_CONFIG_PATH=$library/pkgconfig
run make -C "$work/consumer" CC="$ROPEWALK_CC" CXX="$ROPEWALK_CXX"
run "$work/consumer/headers_only"
run "$work/consumer/rotate_static"
run env LD_LIBRARY_PATH="$library" "$work/consumer/rotate"
! needs "$work/consumer/rotate_static" | grep -qx libropewalk_kernels ||
  fail "the archive is not linked by make"
! pkg-config --static --cflags --libs ropewalk-kernels | grep -q hwy || fail "users are told of Highway"
! needs "$library/libropewalk_kernels.so" | grep -q hwy || fail "Highway's library is linked"

# The example of a kernel is installed beside the header that it includes.
run "$ROPEWALK_CC" -O2 -shared -fPIC -I "$work/prefix/include" \
  "$work/prefix/share/doc/libropewalk-dev/examples/example_kernel.c" -o "$work/example_kernel.so" -lm

# From Python, preferably the one with Debian's python3-numpy, and with the installed program.
python=/usr/bin/python3
[ -x $python ] || python=python3
run env ROPEWALK_KERNELS_LIBRARY="$library/libropewalk_kernels.so" ROPEWALK_COMMAND="$work/prefix/bin/ropewalk" \
  $python "$ROPEWALK_SOURCE/tests/kernel/ctypes_test.py"

# pytest finds its plugin by the installed entry point.
if $python -c 'import pytest' 2>"$work/log"; then
  env PYTHONPATH="$work/prefix/lib/python3/dist-packages" $python -m pytest --help >"$work/log" 2>&1
  grep -q -e --ropewalk-budget "$work/log" || fail "pytest does not find its plugin"
fi

# The version is the same everywhere.
version=$(sed -n 's/.*version = "\(.*\)".*/\1/p' "$ROPEWALK_SOURCE/include/ropewalk/version.hpp")
"$work/prefix/bin/ropewalk" --version | grep -qF "$version" || fail "the program's version is not $version"
grep -qF "\"$version\"" "$library/cmake/ropewalk/ropewalkConfigVersion.cmake" ||
  fail "CMake's version is not $version"
for name in ropewalk ropewalk-kernels; do
  [ "$(pkg-config --modversion $name)" = "$version" ] || fail "$name.pc does not say $version"
done

# Requests that cannot be met fail: another version, an unknown component.
cannot() {  # cannot WHAT MESSAGE ARGUMENTS...
  if configure wrong "${@:3}" >"$work/log" 2>&1; then fail "$1 was found"; fi
  grep -qF "$2" "$work/log" || { cat "$work/log"; fail "$1 is not named"; }
  rm -rf "$work/wrong"
}
sed "s/COMPONENTS kernels_static/COMPONENTS nonsense/" -i "$work/consumer/CMakeLists.txt"
cannot "component nonsense" "component is nonsense"
sed "s/find_package(ropewalk/& 99/" -i "$work/consumer/CMakeLists.txt"
cannot "version 99" 99
