#!/usr/bin/env bash
# ropewalk_table in projects that include this one: what it makes, when it remakes it, for which targets, and
# what it refuses.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/app"
run() { "$@" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }; }
fail() { echo "ropewalk_table: $*"; exit 1; }
given=(-D ROPEWALK_PROGRAM="$ROPEWALK_COMMAND")
configure() {  # configure BUILD ARGUMENTS...
  cmake -G Ninja -S "$work/app" -B "$work/$1" -D CMAKE_CXX_COMPILER="$ROPEWALK_CXX" -D CMAKE_C_COMPILER="$ROPEWALK_CC" \
    "${@:2}" >"$work/log" 2>&1
}

project() {  # project: writes app/CMakeLists.txt, with its last lines from stdin
  cat >"$work/app/CMakeLists.txt" <<TXT
cmake_minimum_required(VERSION 3.25)
project(app LANGUAGES C CXX)
add_subdirectory("$ROPEWALK_SOURCE" ropewalk)
$(cat)
TXT
}

# A program in C, an interface library and a file of data, with the program that writes tables given.
cp "$ROPEWALK_SOURCE/src/model/catalogue/llama-3.1-8b.json" "$work/app/config.json"
cat >"$work/app/main.c" <<'TXT'
#include <stdio.h>
#include "own/inv_freq.h"
#include "linked.h"
int main(void) { return printf("%a %a\n", ropewalk_inv_freq[1], (double)linked[0]) < 0; }
TXT
project <<'TXT'
add_library(tables INTERFACE)
ropewalk_table(TARGET tables KIND inv-freq OUTPUT linked.h ARGS --base 10000 --head-dim 4 --name linked)
add_executable(app main.c)
set_target_properties(app PROPERTIES C_STANDARD 11 C_EXTENSIONS OFF)
target_compile_options(app PRIVATE -Wall -Wextra -Wpedantic -Werror)
target_link_libraries(app PRIVATE tables)
ropewalk_table(TARGET app KIND inv-freq OUTPUT own/inv_freq.h ARGS --config=config.json --dtype f64)
ropewalk_table(TARGET app KIND turns OUTPUT turns.npy ARGS --config config.json)
ropewalk_table(TARGET app KIND cos OUTPUT cosine.inc FORMAT glsl
  ARGS --base 10000 --head-dim 4 --positions 2 --scaling {"rope_type":"linear","factor":2})
TXT
configure build -D ROPEWALK_PROGRAM="$ROPEWALK_COMMAND" || { cat "$work/log"; exit 1; }
run cmake --build "$work/build"
[ "$("$work/build/app")" = "0x1.a115829457fbep-1 0x1p+0" ] || fail "the program prints $("$work/build/app")"
made=$work/build/ropewalk_tables
for file in app/turns.npy app/turns.npy.json app/cosine.inc; do [ -s "$made/$file" ] || fail "$file is missing"; done
grep -qF '"command":"ropewalk table inv-freq --base 10000 --head-dim 4 --name linked"' \
  "$made/tables/linked.h" || fail "the record names the place of the build"

# A second build does nothing; a changed configuration remakes its own tables alone.
cmake --build "$work/build" | grep -q "no work to do" || fail "a second build has work to do"
sed -i 's/"rope_theta": 500000/"rope_theta": 10000/' "$work/app/config.json"
cp "$made/tables/linked.h" "$work/before"
touch -r "$made/tables/linked.h" "$work/before"
run cmake --build "$work/build"
[ "$("$work/build/app")" != "0x1.a115829457fbep-1 0x1p+0" ] || fail "the table of another configuration stayed"
[ ! "$made/tables/linked.h" -nt "$work/before" ] || fail "a table of no configuration was made again"

# A refused table stops the build, and the message names the field or the suffix.
sed -i 's/"rope_theta": 10000/"rope_theta": -1/' "$work/app/config.json"
if cmake --build "$work/build" >"$work/log" 2>&1; then fail "a wrong configuration builds"; fi
grep -q "rope_theta is -1" "$work/log" || { cat "$work/log"; fail "a wrong configuration is not named"; }

project <<'TXT'
add_library(app INTERFACE)
ropewalk_table(TARGET app KIND inv-freq OUTPUT inv_freq.txt ARGS --base 10000 --head-dim 4)
add_custom_target(wanted ALL DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/ropewalk_tables/app/inv_freq.txt)
TXT
run configure suffix "${given[@]}"
if cmake --build "$work/suffix" >"$work/log" 2>&1; then fail "a table in an unknown format builds"; fi
grep -q "output is inv_freq.txt; allowed: a name that ends in .npy" "$work/log" ||
  { cat "$work/log"; fail "an unknown suffix is not named"; }

# Where the build makes the program itself, the program is made first and writes the table.
project <<'TXT'
add_library(app INTERFACE)
ropewalk_table(TARGET app KIND inv-freq OUTPUT inv_freq.h ARGS --model llama-3.1-8b)
add_custom_target(wanted DEPENDS ${CMAKE_CURRENT_BINARY_DIR}/ropewalk_tables/app/inv_freq.h)
TXT
configure whole -D ROPEWALK_TOOL=ON || { cat "$work/log"; exit 1; }
ninja -C "$work/whole" -t commands wanted >"$work/log"
grep -q "main.cpp" "$work/log" || fail "the program of the build is not made first"
grep -q "ropewalk/ropewalk table inv-freq" "$work/log" || fail "the program of the build is not used"

refuses() {  # refuses MESSAGE ARGUMENTS...: configuring with the call from stdin fails with MESSAGE
  project
  rm -rf "$work/refused"
  if configure refused "${@:2}"; then fail "accepted: $(tail -n 1 "$work/app/CMakeLists.txt")"; fi
  tr -s ' \n' ' ' <"$work/log" | grep -qF "$1" || { cat "$work/log"; fail "'$1' is not said"; }
}
refuses "KIND is missing" "${given[@]}" <<<'ropewalk_table(TARGET app OUTPUT a.h)'
refuses "TARGET is app; allowed: an existing target" "${given[@]}" <<<'ropewalk_table(TARGET app KIND cos OUTPUT a.h)'
library='add_library(app INTERFACE)'
refuses "OUTPUT is /a.h; allowed: a relative path" "${given[@]}" <<<"$library
ropewalk_table(TARGET app KIND cos OUTPUT /a.h)"
refuses "ARGS has --output" "${given[@]}" <<<"$library
ropewalk_table(TARGET app KIND cos OUTPUT a.h ARGS --output b.h)"
refuses "argument is stray" "${given[@]}" <<<"$library
ropewalk_table(stray TARGET app KIND cos OUTPUT a.h)"
refuses "ROPEWALK_PROGRAM is missing; allowed: the path" <<<"$library
set(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH OFF)
set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF)
ropewalk_table(TARGET app KIND cos OUTPUT a.h)"
