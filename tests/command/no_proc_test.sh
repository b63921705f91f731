#!/usr/bin/env bash
# Where the system does not say where the program lies, its parts are looked for nowhere: a program or module of their
# names in or beside the working directory is not run.
set -euo pipefail
unshare --mount true 2>/dev/null || { echo "skipped: no mount namespace can be made here"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/here" "$work/lib/ropewalk"
printf '#!/bin/sh\ntouch "%s/ran"\n' "$work" >"$work/here/ropewalk_bench"
chmod +x "$work/here/ropewalk_bench"
printf '__attribute__((constructor)) static void ran(void) { fopen("%s/ran", "w"); }\n' "$work" |
  "$ROPEWALK_CC" -include stdio.h -shared -fPIC -x c - -o "$work/lib/ropewalk/libropewalk_mpi.so"

without_proc() {  # without_proc ARGUMENTS...: the program's exit code and what it says
  (cd "$work/here" && unshare --mount sh -c 'mount -t tmpfs none /proc && exec "$@"' sh "$ROPEWALK_COMMAND" "$@") \
    >"$work/output" 2>&1 || status=$?
}

for words in "bench --quick" "sweep --model llama-3.1-8b --output $work/results"; do
  status=0
  export PMI_RANK=0
  # shellcheck disable=SC2086
  without_proc $words
  [ "$status" = 3 ] || { cat "$work/output"; echo "$words: exit code $status, not 3"; exit 1; }
  grep -q "cannot find its own path" "$work/output" ||
    { cat "$work/output"; echo "$words does not say why"; exit 1; }
  [ ! -e "$work/ran" ] || { echo "$words ran what lay in the working directory"; exit 1; }
done
