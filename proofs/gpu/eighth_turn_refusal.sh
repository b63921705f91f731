#!/usr/bin/env bash
# eighth_turn_refusal.sh CONSTANTS: the certificate fails when it should: with a coefficient whose fourth to
# sixth digits are altered, with half of a budget, and without a definition.
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
constants=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0

refuses() {  # refuses SED: expects no proof when SED has edited the constants
  sed -E "$1" "$constants" >"$work/spoiled"
  if cmp -s "$constants" "$work/spoiled"; then echo "$1 spoils nothing"; failures=$((failures + 1)); fi
  if bash "$here/../certificate.sh" "$work/spoiled" "$here/eighth_turn.sollya" >"$work/said" 2>&1; then
    echo "proved even with $1"
    failures=$((failures + 1))
  fi
}

for name in sine_0 sine_1 sine_2 sine_3 sine_4 sine_5 cosine_1 cosine_2 cosine_3 cosine_4 cosine_5 cosine_6; do
  refuses "/^$name /s/= ([0-9]{3})[0-9]{3}/= \1999/"
  grep -q '^not proved: ' "$work/said" || { echo "$name: $(cat "$work/said")"; failures=$((failures + 1)); }
done
refuses '/^sine_approximation/s/p-48/p-49/'
refuses '/^cosine_approximation/s/p-54/p-55/'
refuses '/^sine_3/d'
[ $failures = 0 ]
