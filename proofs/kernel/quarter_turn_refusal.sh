#!/usr/bin/env bash
# quarter_turn_refusal.sh CONSTANTS: the certificates fail when they should: the approximation with any
# coefficient altered after its ninth bit, each certificate with half of its budget, and with a definition
# missing.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
constants=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

refuses() {  # refuses CERTIFICATE SED: expects no proof when SED has edited the constants
  sed -E "$2" "$constants" >"$work/spoiled"
  if cmp -s "$constants" "$work/spoiled"; then echo "$2 spoils nothing"; failures=$((failures + 1)); fi
  if bash "$here/../certificate.sh" "$work/spoiled" "$here/$1" >"$work/said" 2>&1; then
    echo "$1 is proved even with $2"
    failures=$((failures + 1))
  fi
}

for polynomial in sine cosine; do
  for index in 0 1 2 3 4 5 6; do
    spoil="/^${polynomial}_$index /s/0x1\.?(..)?.*p/0x1.\10fp/"
    refuses quarter_turn.sollya "$spoil"
    grep -q '^not proved: ' "$work/said" || { echo "$spoil: $(cat "$work/said")"; failures=$((failures + 1)); }
  done
done
refuses quarter_turn.sollya '/^approximation/s/p-54/p-55/'
refuses quarter_turn.sollya '/^sine_3/d'
for name in sine sine_unfused cosine cosine_unfused; do
  refuses quarter_turn_$name.gappa '/^evaluation/s/p-51/p-52/'
  grep -q 'not satisfied' "$work/said" || { echo "$name: $(cat "$work/said")"; failures=$((failures + 1)); }
done
refuses quarter_turn_cosine.gappa '/^cosine_3/d'
[ $failures = 0 ]
