#!/usr/bin/env bash
# cpu-turns and cpu-table on AArch64: one program, cross-built against Highway's headers alone and run under
# qemu, gives the hashes of portable_hashes.txt. `aarch64_exhaustive.sh --print` prints that file, made by this
# machine's compiler.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/include"
ln -s /usr/include/hwy "$work/include/hwy"  # a cross compiler must not see this machine's other headers
cd "$root"

# compile OBJECT SOURCE FLAGS...
compile() {
  local object=$1 source=$2
  shift 2
  "${compiler[@]}" -std=c++20 -Wall -Wextra -Wpedantic -Wconversion -Wshadow -Werror -Wno-restrict \
    -D HWY_COMPILE_ONLY_STATIC -I include -I src -I tests -isystem "$work/include" "$@" -c "$source" -o "$work/$object"
}

# build: links statically, so that the program needs no AArch64 libraries. Vectors are compiled as in a
# release.
build() {
  local source
  for source in src/kernel/*.cpp; do
    [ "$source" = src/kernel/export.cpp ] || echo "#include \"$source\""
  done >"$work/portable_hashes.cpp"
  echo '#include "tests/kernel/portable_hashes.cpp"' >>"$work/portable_hashes.cpp"
  # One unit of all that instantiates the kernels' templates: less than half the time.
  compile portable_hashes.o "$work/portable_hashes.cpp" -I . -O1 -ffp-contract=off
  compile targets.o src/kernel/simd/targets.cpp -O2 -ffp-contract=off
  for source in wide_heads binary16_heads bfloat16_heads; do
    compile $source.o src/kernel/simd/$source.cpp -O2 -ffp-contract=off
  done
  "${compiler[-1]}" -static "$work"/*.o -o "$work/portable_hashes"
}

compiler=()
if command -v ccache >/dev/null; then compiler=(ccache); fi
if [ "${1-}" = --print ]; then
  compiler+=("${CXX:-g++}")
  build
  "$work/portable_hashes"
  exit
fi
for tool in aarch64-linux-gnu-g++ qemu-aarch64; do
  command -v $tool >/dev/null || { echo "skipped: $tool is not installed; nothing ran on AArch64"; exit 77; }
done
compiler+=(aarch64-linux-gnu-g++)
begin=$SECONDS
build
echo "cross-built in $((SECONDS - begin)) s"
begin=$SECONDS
qemu-aarch64 "$work/portable_hashes" "$here/portable_hashes.txt"
echo "ran under qemu in $((SECONDS - begin)) s"

# Negative control: with products and sums fused, GCC's default on AArch64, the bits differ.
compile wide_heads.o src/kernel/simd/wide_heads.cpp -O2 -ffp-contract=fast
"${compiler[-1]}" -static "$work"/*.o -o "$work/portable_hashes"
if qemu-aarch64 "$work/portable_hashes" "$here/portable_hashes.txt" >"$work/log"; then
  echo "fused multiply-adds give the same hashes"
  exit 1
fi
grep -q '^FAILED: f32/near-one, cpu-turns-neon' "$work/log" || { cat "$work/log"; exit 1; }
