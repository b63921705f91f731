#!/usr/bin/env bash
# certificate.sh CONSTANTS FILE: proves FILE with Gappa or Sollya, with the definitions of CONSTANTS
# prepended. Where Gappa needs a literal number, @name@ is replaced by the defined value. A proof over a
# minute long fails.
set -euo pipefail
constants=$1 file=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tool=${file##*.}
command -v "$tool" >/dev/null || { echo "$tool is not installed" >&2; exit 3; }
sed -E 's/^(\w+) = (.*);$/s|@\1@|\2|g/' "$constants" >"$work/literals"
{ cat "$constants"; sed -f "$work/literals" "$file"; } >"$work/certificate.$tool"
case $tool in
  gappa) timeout 60 gappa "$work/certificate.gappa" ;;
  sollya)  # its exit status is no verdict, and it continues after an error
    said=$(timeout 60 sollya --warnonstderr "$work/certificate.sollya" 2>&1 </dev/null) || said+=" ($?)"
    echo "$said"
    [ "$said" = proved ] ;;
  *) echo "no tool proves $file" >&2; exit 2 ;;
esac
