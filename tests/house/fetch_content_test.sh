#!/usr/bin/env bash
# A project that fetches this tree: the headers need no package and the kernels only Highway's headers; the kernels give
# the same bits under the project's own flags, and installing the project installs nothing of this tree.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
run() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }
fail() { echo "fetch_content: $*"; exit 1; }
absent=()
for package in Boost CLI11 nlohmann_json fmt pugixml rapidcheck ZLIB GTest benchmark; do
  absent+=(-D "CMAKE_DISABLE_FIND_PACKAGE_$package=ON")
done
configure() {  # configure BUILD ARGUMENTS...
  run cmake -G Ninja -S "$work/$1" -B "$work/build-$1" -D ROPEWALK_SOURCE="$ROPEWALK_SOURCE" \
    -D CMAKE_CXX_COMPILER="$ROPEWALK_CXX" -D CMAKE_C_COMPILER="$ROPEWALK_CC" "${absent[@]}" "${@:2}"
}
cp -r "$ROPEWALK_SOURCE/tests/house/consumer" "$ROPEWALK_SOURCE/tests/house/fetch_content" "$work"

# The headers alone.
mkdir "$work/headers"
sed -e '/ROPEWALK_KERNELS/d' -e '/c_shared/d' -e '/c_static/d' "$work/fetch_content/CMakeLists.txt" >"$work/headers/CMakeLists.txt"
configure headers -D CMAKE_DISABLE_FIND_PACKAGE_hwy=ON
run cmake --build "$work/build-headers"
run "$work/build-headers/headers_only"

# A sample ends here; `./dev prove` builds the kernels.
[ "${ROPEWALK_IN_FULL-}" = 1 ] || exit 0

# The kernels, with a flag that would change what they compute.
launcher=$(command -v ccache || true)
configure fetch_content -D CMAKE_C_FLAGS="-O0 -ffast-math" -D CMAKE_CXX_FLAGS="-O0 -ffast-math" \
  ${launcher:+-D CMAKE_CXX_COMPILER_LAUNCHER="$launcher"}
run cmake --build "$work/build-fetch_content" --parallel 1
for program in headers_only c_shared c_static; do
  run "$work/build-fetch_content/$program"
done
run cmake --install "$work/build-fetch_content" --prefix "$work/prefix"
[ -z "$(find "$work/prefix" -type f 2>/dev/null)" ] || fail "installs $(find "$work/prefix" -type f)"
