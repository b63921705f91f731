#!/usr/bin/env bash
# proofs/README.md names every file that proves something and no file that does not exist; every theorem that
# a proof defines is asserted.
set -uo pipefail

complaints() {  # complaints DIRECTORY: prints what is wrong with the proofs there, one line each
  local file name
  while read -r file; do
    grep -qF "$file" "$1/README.md" || echo "README.md does not name $file"
  done < <(cd "$1" && find . -name '*_proof.cpp' -o -name '*_check.cpp' -o -name '*.gappa' -o -name '*.sollya' \
    -o -mindepth 2 -name '*.md' | sed 's|^\./||')
  while read -r file; do
    [ -f "$1/$file" ] || echo "README.md names $file, which does not exist"
  done < <(grep -oE '[a-z_0-9]+/[a-z_0-9]+\.(cpp|md|gappa|sollya)' "$1/README.md" | sort -u)
  while IFS=: read -r file name; do
    [ "$(grep -cE "\b$name\b" "$file")" -gt 1 ] || echo "$file never asserts $name"
  done < <(grep -rhoE --include='*_proof.cpp' -H '^(consteval|constexpr) bool [a-z_0-9]+' "$1" |
    sed -E 's/(consteval|constexpr) bool //')
}

proofs=$ROPEWALK_SOURCE/proofs
found=$(complaints "$proofs")
[ -z "$found" ] || { echo "$found"; exit 1; }

# Negative control: every planted fault is complained about.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$proofs" "$work/proofs"
echo 'consteval bool nothing_is_asserted() { return false; }' >"$work/proofs/kernel/planted_proof.cpp"
echo 'see kernel/absent_proof.cpp' >>"$work/proofs/README.md"
[ "$(complaints "$work/proofs" | wc -l)" = 3 ] ||
  { echo "planted faults were not all found:"; complaints "$work/proofs"; exit 1; }
