#!/usr/bin/env bash
# What compiling costs. First what users pay: the tables (the median of five `-c` on a file with one table, less that on the
# same file with the include alone; no flags but -std=c++20), and the umbrella header. Then what we pay: the program and
# everything with its tests from nothing, and the objects that take longest. `--quick` leaves out the second part.
set -euo pipefail
case "${1-}" in
  "" | --quick) ;;
  *) echo "compile: unknown argument $1; allowed: --quick" >&2; exit 2 ;;
esac
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cat >"$work/frequencies_include.cpp" <<'CPP'
#include "ropewalk/table/inv_freq_table.hpp"
CPP
cat "$work/frequencies_include.cpp" - >"$work/frequencies.cpp" <<'CPP'
constexpr ropewalk::rope config{.base = 10000, .rotary_dim = 128};
constexpr auto f64 = ropewalk::inv_freq_table<double, config>;
constexpr auto f32 = ropewalk::inv_freq_table<float, config>;
constexpr auto f16 = ropewalk::inv_freq_table<ropewalk::binary16, config>;
constexpr auto bf16 = ropewalk::inv_freq_table<ropewalk::bfloat16, config>;
static_assert(f64.size() == 64 && f32.size() == 64 && f16.size() == 64 && bf16.size() == 64);
CPP
cat >"$work/cos_sin_include.cpp" <<'CPP'
#include "ropewalk/table/cos_sin_table.hpp"
CPP
cat "$work/cos_sin_include.cpp" - >"$work/cos_sin.cpp" <<'CPP'
constexpr ropewalk::rope config{.base = 10000, .rotary_dim = 128};
constexpr ropewalk::position_range positions{0, 128};
constexpr auto cos = ropewalk::cos_table<float, config, positions>;
constexpr auto sin = ropewalk::sin_table<float, config, positions>;
static_assert(cos.size() == sin.size());
CPP

seconds() {  # seconds COMPILER FILE: median of five, processor time, so that a busy machine does not count
  local TIMEFORMAT='%U %S'
  for _ in 1 2 3 4 5; do
    { time "$1" -std=c++20 -I "$root/include" -c "$2" -o "$work/object.o" 2>"$work/errors"; } 2>&1 |
      awk '{ printf "%.3f\n", $1 + $2 }' || { cat "$work/errors" >&2; exit 1; }
  done | sort -n | sed -n 3p
}

failed=0
measure() {  # measure NAME FILE LIMIT: prints one row a compiler, and fails above the limit (seconds)
  local compiler with without
  for compiler in g++ clang++-19; do
    without=$(seconds "$compiler" "$work/$2_include.cpp")
    with=$(seconds "$compiler" "$work/$2.cpp")
    awk -v name="$1" -v compiler="$compiler" -v with="$with" -v without="$without" -v limit="$3" 'BEGIN {
      cost = with - without
      printf "%-34s %-12s %6.2f s  %6.2f s  %6.2f s  %4.2f s  %s\n", name, compiler, with, without, cost,
             limit, cost < limit ? "holds" : "FAILS"
      exit cost < limit ? 0 : 1 }' || failed=1
  done
}

printf '%-34s %-12s %8s  %8s  %8s  %6s\n' "" compiler file include table limit
measure "64 frequencies in four formats" frequencies 1
measure "cos and sin, 64 pairs x 128" cos_sin 2
echo '#include "ropewalk/ropewalk.hpp"' >"$work/umbrella.cpp"
for compiler in g++ clang++-19; do
  printf '%-34s %-12s %6.2f s\n' "ropewalk.hpp alone" "$compiler" "$(seconds "$compiler" "$work/umbrella.cpp")"
done
[ "${1-}" != --quick ] || exit $failed

# From nothing: wall seconds, and processor seconds, which depend less on what else the machine does.
build() {  # build NAME TARGET
  local TIMEFORMAT='%R %U %S' spent
  spent=$({ time cmake --build "$work/build" --target "$2" >"$work/errors" 2>&1; } 2>&1) ||
    { tail -n 40 "$work/errors" >&2; exit 1; }
  awk -v name="$1" '{ printf "%-34s %-12s %6.0f s  %6.0f s of processors\n", name, "g++", $1, $2 + $3 }' <<<"$spent"
}
export CCACHE_DISABLE=1
(cd "$root" && cmake --preset release -B "$work/build" -D ROPEWALK_TESTS=ON -D ROPEWALK_BENCH=ON) >"$work/errors" 2>&1 ||
  { cat "$work/errors" >&2; exit 1; }
build "the program from nothing" ropewalk
build "everything else, with tests" all
echo "longest:"
awk 'NR > 1 && $4 ~ /\.o$/ { printf "%7.1f s  %s\n", ($2 - $1) / 1000, $4 }' "$work/build/.ninja_log" | sort -rn | head -n 20
exit $failed
