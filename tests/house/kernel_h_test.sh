#!/usr/bin/env bash
# kernel.h compiles as pedantic C11 and as C++17, by either of its paths; a C library that implements it links
# with a C++ caller.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
strict=(-Wall -Wextra -Wpedantic -Wconversion -Wshadow -Wstrict-prototypes -Werror -I "$ROPEWALK_SOURCE/include")

cat >"$work/kernels.c" <<'C'
#include <ropewalk/kernel.h>

static int32_t make_plan(const ropewalk_head* encoding, ropewalk_plan** plan, ropewalk_error* error) {
  (void)encoding, (void)error;
  *plan = NULL;
  return ROPEWALK_UNSUPPORTED;
}
static int32_t apply(const ropewalk_plan* plan, const ropewalk_head* call, ropewalk_error* error) {
  (void)plan, (void)call, (void)error;
  return ROPEWALK_OK;
}
static void free_plan(ropewalk_plan* plan) { (void)plan; }

static const ropewalk_promise canonical = {.struct_size = sizeof(ropewalk_promise), .bits = ROPEWALK_CANONICAL};
static const int32_t head_dims[] = {64, 128};
static const int64_t shapes[][4] = {{1, 16, 32, 128}, {2, 1, 8, 64}};
static const ropewalk_limits limits = {.struct_size = sizeof(ropewalk_limits),
                                       .dtypes = 1u << ROPEWALK_F32 | 1u << ROPEWALK_BF16,
                                       .not_served = ROPEWALK_DENSE | ROPEWALK_NO_BACKWARD,
                                       .head_dims = head_dims,
                                       .head_dim_count = 2,
                                       .shapes = shapes,
                                       .shape_count = 2};
static const ropewalk_kernel foreign = {.struct_size = sizeof(ropewalk_kernel),
                                        .abi = ROPEWALK_ABI,
                                        .name = "foreign",
                                        .operation = ROPEWALK_ROTATE,
                                        .promise = &canonical,
                                        .limits = &limits,
                                        .plan = make_plan,
                                        .apply = apply,
                                        .free_plan = free_plan};
static const ropewalk_kernel* const kernels[] = {&foreign};

const ropewalk_kernel* const* ropewalk_kernels(size_t* count) {
  *count = sizeof kernels / sizeof kernels[0];
  return kernels;
}
C
cat >"$work/caller.cpp" <<'CPP'
#include "ropewalk/kernel/kernel.h"

int main() {
  size_t count = 0;
  const ropewalk_kernel* const* kernels = ropewalk_kernels(&count);
  ropewalk_plan* plan = nullptr;
  return count == 1 && kernels[0]->plan(nullptr, &plan, nullptr) == ROPEWALK_UNSUPPORTED ? 0 : 1;
}
CPP

skipped=0
for pair in gcc:g++ clang-19:clang++-19; do
  cc=${pair%%:*} cxx=${pair##*:}
  if ! command -v "$cc" >/dev/null; then
    echo "skipped: $cc is not installed"
    skipped=77
    continue
  fi
  for path in ropewalk/kernel.h ropewalk/kernel/kernel.h; do
    "$cc" -std=c11 "${strict[@]}" -fsyntax-only -x c - <<<"#include <$path>"
    "$cxx" -std=c++17 "${strict[@]/-Wstrict-prototypes/-Wall}" -fsyntax-only -x c++ - <<<"#include <$path>"
  done
  "$cc" -std=c11 "${strict[@]}" -c "$work/kernels.c" -o "$work/kernels.o"
  "$cxx" -std=c++17 "${strict[@]/-Wstrict-prototypes/-Wall}" "$work/caller.cpp" "$work/kernels.o" -o "$work/caller"
  "$work/caller"
  "$cc" -std=c11 "${strict[@]}" -O2 -shared -fPIC "$ROPEWALK_SOURCE/src/package/example_kernel.c" \
    -o "$work/example_kernel.so" -lm
  # Negative control: a C compiler accepts a copy of the header, and refuses it with C++ in it.
  header=$ROPEWALK_SOURCE/include/ropewalk/kernel/kernel.h
  mkdir -p "$work/copy/ropewalk/kernel"
  cp "$header" "$work/copy/ropewalk/kernel/kernel.h"
  cp "$ROPEWALK_SOURCE/include/ropewalk/kernel.h" "$work/copy/ropewalk/kernel.h"
  "$cc" -std=c11 "${strict[@]::6}" -I "$work/copy" -c "$work/kernels.c" -o "$work/kernels.o"
  sed 's/^typedef struct ropewalk_plan ropewalk_plan;/class ropewalk_plan;/' "$header" >"$work/copy/ropewalk/kernel/kernel.h"
  if "$cc" -std=c11 "${strict[@]::6}" -I "$work/copy" -c "$work/kernels.c" -o "$work/kernels.o" 2>/dev/null; then
    echo "$cc accepts C++ in kernel.h"
    exit 1
  fi
done

# The example's own command compiles it.
command=$(sed -n 's/^ \*   cc //p' "$ROPEWALK_SOURCE/src/package/example_kernel.c")
rm -f "$work/example_kernel.so"
(cd "$work" && ln -s "$ROPEWALK_SOURCE/include" "$ROPEWALK_SOURCE/src" . && eval "gcc $command") && [ -f "$work/example_kernel.so" ] ||
  { echo "the command in the example's comment does not compile it: $command"; exit 1; }

# The example keeps its promise, and an angle formed in binary32 in its place does not.
judged() {  # judged LIBRARY OPTION...: verdicts on it
  "$ROPEWALK_COMMAND" verify --kernel "library:$1" --model llama-3.1-8b --seed 1 "${@:2}" >"$work/said" 2>&1
}
if [ -n "${ROPEWALK_COMMAND-}" ]; then
  # 200 cases would hold it to every other promise under every law too, which takes most of the time.
  judged "$work/example_kernel.so" --cases 12 --allow-cut || { cat "$work/said"; exit 1; }
  judged "$work/example_kernel.so" --cases 200 --law accuracy --skip-law sizes=held-above \
    --skip-law prefill-decode=held-above || { cat "$work/said"; exit 1; }
  grep -q 'claims angle-f64; f32: judged as good as:' "$work/said" || { cat "$work/said"; exit 1; }
  sed 's/const double angle = position \* plan->inv_freq\[pair\]/const double angle = (float)position * (float)plan->inv_freq[pair]/' \
    "$ROPEWALK_SOURCE/src/package/example_kernel.c" >"$work/wrong.c"
  if cmp -s "$work/wrong.c" "$ROPEWALK_SOURCE/src/package/example_kernel.c"; then
    echo "nothing was changed in the example"
    exit 1
  fi
  gcc -std=c11 -O2 -shared -fPIC -I "$ROPEWALK_SOURCE/include" "$work/wrong.c" -o "$work/wrong.so" -lm
  if judged "$work/wrong.so" --cases 20 --diagnosis 0; then
    echo "a changed example holds"
    exit 1
  fi
  grep -q '^FAILS .*accuracy' "$work/said" || { cat "$work/said"; exit 1; }
fi
exit $skipped
