#!/usr/bin/env bash
# A kernel library exports kernel.h's one function and nothing else.
set -euo pipefail
exported() { nm --dynamic --defined-only --format=posix "$1" | cut -d' ' -f1; }
for library in "${ROPEWALK_KERNELS_LIBRARY:?is not built}" "${ROPEWALK_FAULTS_LIBRARY:?is not built}"; do
  names=$(exported "$library")
  [ "$names" = ropewalk_kernels ] || { echo "$library exports: $names"; exit 1; }
done
soname=$(readelf --dynamic "$ROPEWALK_KERNELS_LIBRARY" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
[[ $soname == libropewalk_kernels.so.[0-9]* ]] || { echo "soname is '$soname'"; exit 1; }
