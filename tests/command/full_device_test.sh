#!/bin/bash
# A full device and a read-only one: exit 2, one line that names the output, no partial file. Needs mounts; skipped aloud
# (exit 77) where they are not allowed.
set -u
folder=$(mktemp -d)
trap 'umount "$folder/small" "$folder/fixed" 2>/dev/null; rm -rf "$folder"' EXIT
mkdir "$folder/small" "$folder/fixed"

if ! mount -t tmpfs -o size=64k tmpfs "$folder/small" 2>/dev/null; then
  echo "skipped: this machine does not allow mounts"
  exit 77
fi
mount -t tmpfs -o size=64k tmpfs "$folder/fixed" && mount -o remount,ro "$folder/fixed" || exit 77

failed=0
expect_refusal() { # OUTPUT REASON [OPTION...]
  "$ROPEWALK_COMMAND" table cos --model llama-2-7b --output "${@:1:1}" "${@:3}" >"$folder/out" 2>"$folder/err"
  local code=$?
  if [ $code -ne 2 ] || [ "$(wc -l <"$folder/err")" -ne 1 ] ||
    ! grep -qF "output is $1 ($2); allowed: " "$folder/err"; then
    echo "failed: $1: exit $code, $(cat "$folder/err")"
    failed=1
  fi
}

# Too large for the device by its numbers alone: refused before any work. As text it is longer: refused when it is full.
expect_refusal "$folder/small/cos.npy" "1 MiB"
expect_refusal "$folder/small/cos.csv" "No space left on device" --positions 300
expect_refusal "$folder/fixed/cos.npy" "Read-only file system"
[ -z "$(ls -A "$folder/small")" ] || { echo "failed: left $(ls -A "$folder/small")"; failed=1; }

# What fits is written, and an older file outlives a newer one that does not fit.
"$ROPEWALK_COMMAND" table inv-freq --model llama-2-7b --quiet --output "$folder/small/cos.npy" || failed=1
before=$(cksum <"$folder/small/cos.npy")
expect_refusal "$folder/small/cos.npy" "1 MiB"
expect_refusal "$folder/small/cos.npy" "No space left on device" --positions 300 --format csv
[ "$before" = "$(cksum <"$folder/small/cos.npy")" ] || { echo "failed: the older file changed"; failed=1; }
exit $failed
