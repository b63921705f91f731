#!/usr/bin/env bash
# Runs jobs of ./dev on a fresh Debian 12: debootstrap's minbase in a chroot, the committed tree copied in,
# nothing installed by hand. Needs root and debootstrap.
#
#   tests/house/fresh_machine.sh [--mirror URL] [--keep DIRECTORY] [--files DIRECTORY] [JOB]...
#
# JOB is a ./dev command line, quoted; default "verify" and "test". --keep holds the bare system (base.tar)
# and downloaded packages between runs; default ~/.cache/ropewalk-fresh-machine. Packages in this machine's
# apt cache are reused. --files makes a directory readable inside as /files, for jobs like "verify --config
# /files/config.json".
set -euo pipefail
# Runs in a private mount namespace: a killed run then leaves no mounts, through which deleting its directory
# would delete the mounted files.
if [ "$(id -u)" = 0 ] && [ -z "${FRESH_MACHINE_MOUNTS-}" ]; then
  FRESH_MACHINE_MOUNTS=private exec unshare --mount --propagation private "${BASH_SOURCE[0]}" "$@"
fi
source_tree=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
mirror=$(grep -rhoE 'https?://[^ ]*/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d 2>/dev/null |
  head -n 1 | tr -d ' ' || true)
keep=${XDG_CACHE_HOME:-$HOME/.cache}/ropewalk-fresh-machine
files=
jobs=()
while [ $# -gt 0 ]; do
  case $1 in
    --mirror) mirror=$2; shift 2 ;;
    --keep) keep=$2; shift 2 ;;
    --files) files=$2; shift 2 ;;
    -*) echo "fresh_machine: unknown option $1; allowed: --mirror, --keep, --files" >&2; exit 2 ;;
    *) jobs+=("$1"); shift ;;
  esac
done
[ ${#jobs[@]} -gt 0 ] || jobs=(verify test)
[ "$(id -u)" = 0 ] || { echo "fresh_machine: needs root" >&2; exit 3; }
mkdir -p "$keep/archives"
say() { echo "fresh_machine: $*"; }

if [ ! -f "$keep/base.tar" ]; then
  say "debootstrap${mirror:+ from $mirror}"
  bare=$(mktemp -d -p "$keep")
  debootstrap --variant=minbase bookworm "$bare" ${mirror:+"$mirror"} >"$keep/debootstrap.log" 2>&1 ||
    { tail -n 20 "$keep/debootstrap.log" >&2; rm -rf "$bare"; exit 3; }
  tar -C "$bare" -cf "$keep/base.tar.part" .
  mv "$keep/base.tar.part" "$keep/base.tar"
  rm -rf "$bare"
fi

machine=$(mktemp -d -p "$keep")
# shellcheck disable=SC2317  # called by the trap
clean_up() {
  local place
  for place in files var/cache/apt/archives dev proc; do
    ! mountpoint -q "$machine/$place" || umount -l "$machine/$place"
  done
  ! mountpoint -q "$machine/dev" || return 0  # never delete through a mount
  rm -rf --one-file-system "$machine"
}
trap clean_up EXIT

tar -C "$machine" -xf "$keep/base.tar"
chmod 755 "$machine"
mount -t proc proc "$machine/proc"
mount --rbind /dev "$machine/dev"
mount --make-rslave "$machine/dev"
mount --bind "$keep/archives" "$machine/var/cache/apt/archives"
cp -nl /var/cache/apt/archives/*.deb "$keep/archives/" 2>/dev/null ||
  cp -n /var/cache/apt/archives/*.deb "$keep/archives/" 2>/dev/null || true
cp /etc/resolv.conf /etc/hosts "$machine/etc/"
if [ -n "$files" ]; then
  mkdir "$machine/files"
  mount --bind -o ro "$files" "$machine/files"
fi
mkdir "$machine/ropewalk"
git -C "$source_tree" archive HEAD | tar -C "$machine/ropewalk" -xf -

status=0
for job in "${jobs[@]}"; do
  begin=$SECONDS
  say "./dev $job"
  # shellcheck disable=SC2086  # a job is a command line
  env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb chroot "$machine" \
    /bin/bash -c 'cd /ropewalk && exec ./dev "$@"' dev $job ||
    { status=$?; say "./dev $job failed with $status"; break; }
  say "./dev $job: $((SECONDS - begin)) s"
done
exit $status
