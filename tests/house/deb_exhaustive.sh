#!/usr/bin/env bash
# cpack -G DEB makes four packages, and one each of the benchmarks and the module for MPI where those are built, that together hold every
# installed file once, have the right names, versions and dependencies, and work when unpacked. Also tests a
# prefix of /usr, a staging directory and an absolute library folder.
set -euo pipefail
if grep -q '^CMAKE_CXX_FLAGS:.*-fsanitize' "$ROPEWALK_BUILD/CMakeCache.txt"; then
  echo "skipped: a package is not made with sanitizers"
  exit 77
fi
for program in dpkg-shlibdeps dpkg-deb file; do
  command -v $program >/dev/null || { echo "skipped: $program is not installed"; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }
fail() { echo "deb: $*"; exit 1; }
expect() { [ "$2" = "$3" ] || fail "$1 is '$2'; expected: '$3'"; }
version=$(sed -n 's/.*version = "\(.*\)".*/\1/p' "$ROPEWALK_SOURCE/include/ropewalk/version.hpp")
library=libropewalk-kernels${version%%.*}

(cd "$ROPEWALK_SOURCE" && cpack --list-presets) | grep -q '"deb"' || fail "the preset is lost"
run cpack -G DEB --config "$ROPEWALK_BUILD/CPackConfig.cmake" -B "$work/packages"
root=$work/root
mkdir "$root"
packages=("$library" libropewalk-dev ropewalk python3-ropewalk)
[ ! -f "$ROPEWALK_BUILD/ropewalk_bench" ] || packages+=(ropewalk-bench)
[ ! -f "$ROPEWALK_BUILD/libropewalk_mpi.so" ] || packages+=(ropewalk-mpi)
for package in "${packages[@]}"; do
  deb=$work/packages/${package}_${version}_$(dpkg --print-architecture).deb
  [ $package != python3-ropewalk ] || deb=$work/packages/${package}_${version}_all.deb
  [ -f "$deb" ] || fail "$package is missing; there are $(ls "$work/packages")"
  expect "package of $deb" "$(dpkg-deb -f "$deb" Package)" "$package"
  expect "version of $package" "$(dpkg-deb -f "$deb" Version)" "$version"
  dpkg-deb -x "$deb" "$root"
  dpkg-deb -c "$deb" | awk '!/^d/ {print substr($6, 2)}' >>"$work/packed"
  cmp "$ROPEWALK_SOURCE/LICENSE" "$root/usr/share/doc/$package/copyright"
done
depends() { dpkg-deb -f "$work/packages/$1"_*.deb Depends; }
expect "what libropewalk-dev needs" "$(depends libropewalk-dev)" "$library (= $version)"
[[ $(depends "$library") != *libhwy* ]] || fail "$library needs Highway's library: $(depends "$library")"
[[ $(depends ropewalk) == *libmpfr6* ]] || fail "ropewalk does not need MPFR: $(depends ropewalk)"
if [ -f "$ROPEWALK_BUILD/ropewalk_bench" ]; then
  [[ $(depends ropewalk-bench) == *"ropewalk (= $version)"* ]] || fail "the benchmarks do not need the program"
  [[ $(depends ropewalk-bench) == *libbenchmark1* ]] || fail "the benchmarks do not need Google Benchmark"
  [[ $(depends ropewalk) != *libbenchmark* ]] || fail "the program needs Google Benchmark"
  expect "a benchmark that ropewalk finds where it is installed" \
    "$("$root/usr/bin/ropewalk" bench --benchmark_list_tests --benchmark_filter '^apply/cpu-turns/f32/half-split/512/')" \
    apply/cpu-turns/f32/half-split/512
fi
if [ -f "$ROPEWALK_BUILD/libropewalk_mpi.so" ]; then
  [[ $(depends ropewalk-mpi) == *"ropewalk (= $version)"* ]] || fail "the module for MPI does not need the program"
  [[ $(depends ropewalk-mpi) == *libopenmpi3* ]] || fail "the module for MPI does not need MPI"
  [[ $(depends ropewalk) != *openmpi* ]] || fail "the program needs MPI"
  [ -f "$root/usr/lib/ropewalk/libropewalk_mpi.so" ] || fail "the module for MPI is not where the program looks"
fi
[[ $(depends python3-ropewalk) == *"ropewalk (= $version)"* ]] || fail "the Python modules do not need the program"
expect "shlibs" "$(dpkg-deb -I "$work/packages/$library"_*.deb shlibs)" "libropewalk_kernels ${version%%.*} $library (= $version)"

# Every installed file is in exactly one package, and none names the directories of the build.
run cmake --install "$ROPEWALK_BUILD" --prefix "$work/installed/usr"
(cd "$work/installed" && find . ! -type d | cut -c2- | sort) >"$work/wanted"
sort "$work/packed" | diff - "$work/wanted" || fail "packages differ from what is installed"
! grep -rlF -e "$ROPEWALK_BUILD" -e "$ROPEWALK_SOURCE/src" -e "$ROPEWALK_SOURCE/include" "$root" ||
  fail "these name the place of the build"
readelf --dynamic "$root/usr/bin/ropewalk" "$(find "$root" -name 'libropewalk_kernels.so.*.*')" >"$work/log"
! grep -E 'RPATH|RUNPATH' "$work/log" || fail "a program or library has a search path"

# The unpacked packages work.
so=$(find "$root" -name libropewalk_kernels.so)
expect "the program's version" "$("$root/usr/bin/ropewalk" --version | grep -oF "$version")" "$version"
expect "the program of the Python modules" "$(env -u ROPEWALK_COMMAND PATH="$root/usr/bin:$PATH" PYTHONPATH="$root/usr/lib/python3/dist-packages" \
  /usr/bin/python3 -c 'import ropewalk; print(ropewalk.program())')" "$root/usr/bin/ropewalk"
export PKG_CONFIG_PATH=${so%/*}/pkgconfig
cp -r "$ROPEWALK_SOURCE/tests/house/consumer" "$work/consumer"
run make -C "$work/consumer" CC="$ROPEWALK_CC" rotate rotate_static
run env LD_LIBRARY_PATH="${so%/*}" "$work/consumer/rotate"
run "$work/consumer/rotate_static"

# The headers alone under /usr, where the library folder depends on the architecture, with a staging
# directory.
alone() {  # alone BUILD ARGUMENTS...
  run cmake -G Ninja -S "$ROPEWALK_SOURCE" -B "$work/$1" -D ROPEWALK_TESTS=OFF -D ROPEWALK_TOOL=OFF \
    -D CMAKE_CXX_COMPILER="$ROPEWALK_CXX" -D CMAKE_C_COMPILER="$ROPEWALK_CC" -D CMAKE_INSTALL_PREFIX=/usr "${@:2}"
}
alone headers
run env DESTDIR="$work/staged" cmake --install "$work/headers"
pc=$(find "$work/staged/usr/lib" -name ropewalk.pc)
run env PKG_CONFIG_PATH="$(dirname "$pc")" make -C "$work/consumer" CXX="$ROPEWALK_CXX" headers_only
run cpack -G DEB --config "$work/headers/CPackConfig.cmake" -B "$work/headers/packages"
[ -z "$(dpkg-deb -f "$work"/headers/packages/libropewalk-dev_*.deb Depends)" ] ||
  fail "the headers alone need a library"
alone fixed -D ROPEWALK_KERNELS=ON -D CMAKE_INSTALL_LIBDIR=/opt/lib
grep -qx 'libdir=/opt/lib' "$work/fixed/package/ropewalk-kernels.pc" || fail "a fixed library folder is lost"
grep -qx 'prefix=/usr' "$work/fixed/package/ropewalk-kernels.pc" || fail "a fixed prefix is lost"
