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
cp "$work/prefix/share/doc/libropewalk-dev/examples/example_kernel.c" "$work/consumer"
# The same with its angle in binary32, which it does not promise.
sed 's/double angle = position \* plan/double angle = (float)position * (float)plan/' "$work/consumer/example_kernel.c" >"$work/consumer/wrong_kernel.c"
! cmp -s "$work/consumer/"{example,wrong}_kernel.c || fail "no fault was planted"
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

# A kernel is a test of CTest: a right one passes, a wrong one fails and says why.
tests() { ctest --test-dir "$work/build" --no-tests=error --output-on-failure -R "$1"; }
run tests '^(ropewalk\.kernel|of_config|by_another_promise)$'
grep -q "100% tests passed, 0 tests failed out of 3" "$work/log" || fail "not all three tests of kernels ran"
grep -q '"model": *"[^"]*config.json"' "$work/build/of_config.json" || fail "the options of a test do not reach the program"
if tests '^ropewalk\.wrong_kernel$' >"$work/log" 2>&1; then fail "a wrong kernel passes its test"; fi
grep -q "^FAILS .*example, llama-3.1-8b, f32, accuracy" "$work/log" || { cat "$work/log"; fail "a wrong kernel's test does not say why"; }
[ "$(ctest --test-dir "$work/build" -N -L ropewalk | grep -c "Test *#")" = 4 ] || fail "a test of a kernel has no label"

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

# What is no test of a kernel is refused.
refuses() {  # refuses MESSAGE ARGUMENTS...: of ropewalk_add_verify_test
  rm -rf "$work/refused"
  mkdir "$work/refused"
  printf '%s\n' "cmake_minimum_required(VERSION 3.25)" "project(refused LANGUAGES C)" "find_package(ropewalk REQUIRED)" \
    "add_library(archive STATIC $work/consumer/rotate.c)" "add_library(kernel MODULE $work/consumer/example_kernel.c)" \
    "ropewalk_add_verify_test(${*:2})" >"$work/refused/CMakeLists.txt"
  if cmake -G Ninja -S "$work/refused" -B "$work/refused/build" -D CMAKE_PREFIX_PATH="$work/prefix" \
    -D CMAKE_C_COMPILER="$ROPEWALK_CC" >"$work/log" 2>&1; then fail "accepted: ${*:2}"; fi
  tr -s ' \n' ' ' <"$work/log" | grep -qF "$1" || { cat "$work/log"; fail "'$1' is not said"; }
}
refuses "target is nowhere (nothing); allowed: a target that is a shared library or a module" nowhere
refuses "target is archive (STATIC_LIBRARY); allowed:" archive
refuses "argument is stray; allowed: a target, NAME, KERNEL" kernel stray MODEL llama-3.1-8b
refuses "MODEL is empty; allowed: a value" kernel MODEL LAWS norm

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
