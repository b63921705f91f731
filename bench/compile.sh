#!/usr/bin/env bash
# Measures compile times. For users: the tables (median of five `-c` of a file with one table, minus that of
# the same file with only the include; no flags but -std=c++20), and the umbrella header. For the project: a
# full build of the program, of everything else with tests, and the slowest objects. `--quick` skips the
# builds.
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

seconds() {  # seconds COMPILER FILE: median of five processor times, which a busy machine affects less
  local TIMEFORMAT='%U %S'
  for _ in 1 2 3 4 5; do
    { time "$1" -std=c++20 -I "$root/include" -c "$2" -o "$work/object.o" 2>"$work/errors"; } 2>&1 |
      awk '{ printf "%.3f\n", $1 + $2 }' || { cat "$work/errors" >&2; exit 1; }
  done | sort -n | sed -n 3p
}

failed=0
measure() {  # measure NAME FILE LIMIT: prints one row per compiler; fails above the limit in seconds
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
  printf '%-34s %-12s %6.2f s\n' "ropewalk.hpp alone" "$compiler" "$(
    seconds "$compiler" "$work/umbrella.cpp")"
done

# The sizes in the source documents, each compiled once: processor time and peak memory per entry, minus those
# of the file with only the include. Each compiler has its own limit (README.md of include/ropewalk).
cat >"$work/sinusoids_include.cpp" <<'CPP'
#include "ropewalk/table/sinusoidal_table.hpp"
CPP
cat "$work/sinusoids_include.cpp" - >"$work/sinusoids.cpp" <<'CPP'
constexpr auto table =
    ropewalk::sinusoidal_table<float, ropewalk::sinusoidal{.d_model = 768}, ropewalk::position_range{0, 1024}>;
static_assert(table.size() == 1024 && table[0].size() == 768);
CPP
cat "$work/cos_sin_include.cpp" - >"$work/rows.cpp" <<'CPP'
constexpr ropewalk::rope config{.base = 10000, .rotary_dim = 128};
constexpr ropewalk::position_range positions{0, 4096};
constexpr auto cos = ropewalk::cos_table<float, config, positions>;
constexpr auto sin = ropewalk::sin_table<float, config, positions>;
static_assert(cos.size() == sin.size());
CPP
cp "$work/cos_sin_include.cpp" "$work/rows_include.cpp"
cat >"$work/decay_include.cpp" <<'CPP'
#include "ropewalk/measure/long_term_decay.hpp"
CPP
cat "$work/decay_include.cpp" - >"$work/decay.cpp" <<'CPP'
constexpr ropewalk::rope config{.base = 10000, .rotary_dim = 128};
constexpr auto near = ropewalk::long_term_decay<2>(1, config), far = ropewalk::long_term_decay<2>(100, config);
static_assert(compare(near, far) == ropewalk::order::greater);
CPP

spent() {  # spent COMPILER FILE: seconds of processors and KiB of memory
  /usr/bin/time -f '%U %S %M' -o "$work/spent" "$1" -std=c++20 -I "$root/include" -c "$2" -o "$work/object.o" 2>"$work/errors" ||
    { cat "$work/errors" >&2; exit 1; }
  awk '{ print $1 + $2, $3 }' "$work/spent"
}

sizes() {  # sizes NAME FILE ENTRIES
  local compiler with without microseconds kibibytes
  for compiler in g++ clang++-19; do
    case $compiler in g++) microseconds=75 kibibytes=6 ;; *) microseconds=60 kibibytes=2.7 ;; esac
    without=$(spent "$compiler" "$work/$2_include.cpp")
    with=$(spent "$compiler" "$work/$2.cpp")
    awk -v name="$1" -v compiler="$compiler" -v entries="$3" -v us="$microseconds" -v kib="$kibibytes" \
      -v with="$with" -v without="$without" 'BEGIN {
      split(with, a); split(without, b)
      time = (a[1] - b[1]) / entries * 1e6; memory = (a[2] - b[2]) / entries
      printf "%-34s %-12s %6.1f s  %6.0f MiB  %5.1f us (%g)  %5.2f KiB (%g)  %s\n", name, compiler, a[1], a[2] / 1024,
             time, us, memory, kib, time <= us && memory <= kib ? "holds" : "FAILS"
      exit time <= us && memory <= kib ? 0 : 1 }' || failed=1
  done
}

printf '\n%-34s %-12s %8s  %10s  %s\n' "" compiler file memory "an entry (limit)"
sizes "sinusoids, 1024 x 768" sinusoids 786432
sizes "cos and sin, 64 pairs x 4096" rows 524288
for compiler in g++ clang++-19; do
  printf '%-34s %-12s %6.1f s\n' "long_term_decay, 64 pairs, twice" "$compiler" "$(
    spent "$compiler" "$work/decay.cpp" | cut -d' ' -f1)"
done
[ "${1-}" != --quick ] || exit $failed

# Full builds: wall time, and processor time, which depends less on other load.
build() {  # build NAME TARGET
  local TIMEFORMAT='%R %U %S' spent
  spent=$({ time cmake --build "$work/build" --target "$2" >"$work/errors" 2>&1; } 2>&1) ||
    { tail -n 40 "$work/errors" >&2; exit 1; }
  awk -v name="$1" '{
    printf "%-34s %-12s %6.0f s  %6.0f s of processors\n", name, "g++", $1, $2 + $3 }' <<<"$spent"
}
export CCACHE_DISABLE=1
(cd "$root" &&
  cmake --preset release -B "$work/build" -D ROPEWALK_TESTS=ON -D ROPEWALK_BENCH=ON) >"$work/errors" 2>&1 ||
  { cat "$work/errors" >&2; exit 1; }
build "the program from nothing" ropewalk
build "everything else, with tests" all
echo "longest:"
awk 'NR > 1 && $4 ~ /\.o$/ { printf "%7.1f s  %s\n", ($2 - $1) / 1000, $4 }' "$work/build/.ninja_log" |
  sort -rn | head -n 20
exit $failed
