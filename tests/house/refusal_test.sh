#!/usr/bin/env bash
# A wrong configuration does not compile, and the first error, with its notes, says which field and what is
# allowed. Every value a field refuses is tried through validate; one value of each field through the one-line
# table too. All cases of a kind are one file, one on a line: a compiler goes on behind an error.
set -uo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
tries=0

# begin NAME FOLDER HEADER...: the cases from here on are in NAME.cpp and see these headers.
begin() {
  local folder=$2
  file=$work/$1.cpp
  shift 2
  printf "#include \"ropewalk/$folder/%s.hpp\"\n" "$@" >"$file"
  printf 'using namespace ropewalk;\nconstexpr auto nan = __builtin_nan(""), infinity = __builtin_inf();\n' >>"$file"
  lines=$(wc -l <"$file")
  fields=()
  reasons=()
  cases=()
}

# add CODE FIELD ALLOWED: a case on a line of its own, in which @ stands for its number.
add() {
  fields+=("$2")
  reasons+=("$3")
  cases+=("$1")
  printf '%s\n' "${1//@/${#cases[@]}}" >>"$file"
}
validating() { add "constexpr auto checked_@ = [] { validate($1); return 0; }();" "${@:2}"; }
tabulating() { add "constexpr auto table_@ = $1;" "${@:2}"; }

# error_about COMPILER LINE: the first error about a line of the file, with its context and notes. G++ prints the
# context before the error, Clang after it.
error_about() {
  if [ "$1" = g++ ]; then
    awk -v line="$2" '
      match($0, /[a-z]+\.cpp:[0-9]+:/) {
        split(substr($0, RSTART, RLENGTH), place, ":")
        if (place[2] != at) { at = place[2]; errors = 0 }
      }
      at == line && / error: / { ++errors }
      at == line && errors < 2' "$work/output"
  else
    awk -v place="$file:$2:" '
      / error: / { if (is_about) exit; text = "" }
      { text = text $0 "\n" }
      index($0, place) { is_about = 1 }
      END { if (is_about) printf "%s", text }' "$work/output"
  fi
}

# must_refuse: every compiler refuses each case of the file, and says why.
must_refuse() {
  local compiler i reason
  for compiler in "${compilers[@]}"; do
    flags=(-std=c++20 -fsyntax-only -I "$ROPEWALK_SOURCE/include")
    [ "$compiler" = g++ ] || flags+=(-ferror-limit=0)
    "$compiler" "${flags[@]}" "$file" >"$work/output" 2>&1
    for i in "${!cases[@]}"; do
      tries=$((tries + 1))
      reason=$(error_about "$compiler" $((lines + i + 1)))
      if ! grep -q ' error: ' <<<"$reason"; then
        echo "$compiler accepts: ${cases[i]}"
      else
        grep -qF "\"${fields[i]}\"" <<<"$reason" && grep -qF "${reasons[i]}" <<<"$reason" && continue
        echo "$compiler does not name ${fields[i]} and '${reasons[i]}': ${cases[i]}"
        echo "$reason"
      fi
      failures=$((failures + 1))
    done
  done
}

must_pass() {
  local compiler
  for compiler in "${compilers[@]}"; do
    tries=$((tries + ${#cases[@]}))
    "$compiler" -std=c++20 -fsyntax-only -I "$ROPEWALK_SOURCE/include" "$file" >"$work/output" 2>&1 && continue
    echo "$compiler refuses a right configuration:"
    cat "$work/output"
    failures=$((failures + 1))
  done
}

configurations=(config alibi head_layout index_code learned position_range query_scale sinusoidal t5_bias)
tables=(table alibi_table cos_sin_table index_code_table inv_freq_table query_scale_table sinusoidal_table t5_bias_table)
compilers=(g++)
if command -v clang++-19 >/dev/null; then compilers+=(clang++-19); fi

base='a finite number above 1'
rotary_dim='an even number from 2 to 65536'
d_model='a number from 2 to 65536'
positive='a finite number above 0'
unset_or_above='a finite number, 0 (unset) or above'
begin='a position from -2147483648 to 2147483647'
end='a number above positions.begin, at most 2147483648'
scaled='rope{.rotary_dim = 64, .scaling ='
llama3='llama3{.factor = 8, .low_freq_factor = 1, .high_freq_factor = 4, .original_max_position_embeddings = 8192'
yarn='yarn{.factor = 4, .original_max_position_embeddings = 32768'

begin right "${configurations[@]}"
for right in 'rope{.rotary_dim = 64}' 'rope{.base = 1.5, .rotary_dim = 65536}' "$scaled linear{.factor = 2}}" \
  "$scaled $llama3}}" "$scaled $yarn}}" "$scaled $yarn, .mscale = 0.707, .mscale_all_dim = 1.0, .attention_factor = 1.25}}" \
  'head_layout{.head_dim = 64}, rope{.rotary_dim = 32}' 'position_range{-2147483648, 2147483648}' \
  'alibi{.heads = 1}' 'alibi{.heads = 65536}' 't5_bias{}' 't5_bias{.buckets = 4, .max_distance = 2}' \
  'sinusoidal{.d_model = 2}' 'sinusoidal{.d_model = 65535, .odd = odd_width::zero, .padding_idx = 0}' 'index_code{}' \
  'index_code{.kind = index_code_kind::binary, .width = 62}' 'learned{.max_position_embeddings = 1, .d_model = 1}' \
  'query_scale{}' 'query_scale{.strength = 0.1, .length = 2147483648, .shift = 1}'; do
  validating "$right" "" ""
done
must_pass

begin wrong "${configurations[@]}"
while IFS='|' read -r field allowed expression; do
  validating "$expression" "$field" "$allowed"
done <<CASES
rotary_dim|$rotary_dim|rope{.rotary_dim = 7}
rotary_dim|$rotary_dim|rope{.rotary_dim = 0}
rotary_dim|$rotary_dim|rope{.rotary_dim = -2}
rotary_dim|$rotary_dim|rope{.rotary_dim = 65538}
base|$base|rope{.base = 1, .rotary_dim = 64}
base|$base|rope{.base = 0, .rotary_dim = 64}
base|$base|rope{.base = -10000, .rotary_dim = 64}
base|$base|rope{.base = nan, .rotary_dim = 64}
base|$base|rope{.base = infinity, .rotary_dim = 64}
factor|$positive|$scaled linear{}}
factor|$positive|$scaled linear{.factor = -1}}
factor|$positive|$scaled linear{.factor = nan}}
factor|$positive|$scaled linear{.factor = infinity}}
factor|$positive|$scaled llama3{.low_freq_factor = 1, .high_freq_factor = 4, .original_max_position_embeddings = 8192}}
low_freq_factor|$positive|$scaled llama3{.factor = 8, .high_freq_factor = 4, .original_max_position_embeddings = 8192}}
low_freq_factor|a number not above high_freq_factor|$scaled llama3{.factor = 8, .low_freq_factor = 5, .high_freq_factor = 4, .original_max_position_embeddings = 8192}}
high_freq_factor|$positive|$scaled llama3{.factor = 8, .low_freq_factor = 1, .original_max_position_embeddings = 8192}}
original_max_position_embeddings|$positive|$scaled llama3{.factor = 8, .low_freq_factor = 1, .high_freq_factor = 4}}
factor|$positive|$scaled yarn{.original_max_position_embeddings = 32768}}
original_max_position_embeddings|$positive|$scaled yarn{.factor = 4}}
original_max_position_embeddings|$positive|$scaled yarn{.factor = 4, .original_max_position_embeddings = nan}}
beta_fast|$positive|$scaled $yarn, .beta_fast = 0}}
beta_slow|$positive|$scaled $yarn, .beta_slow = -1}}
beta_fast|a number not below beta_slow|$scaled $yarn, .beta_fast = 1, .beta_slow = 2}}
mscale|$unset_or_above|$scaled $yarn, .mscale = -1.0}}
mscale_all_dim|$unset_or_above|$scaled $yarn, .mscale_all_dim = nan}}
attention_factor|$positive|$scaled $yarn, .attention_factor = 0.0}}
head_dim|a number from 1 to 65536|head_layout{.head_dim = 0}, rope{.rotary_dim = 64}
head_dim|a number from 1 to 65536|head_layout{.head_dim = 65537}, rope{.rotary_dim = 64}
rotary_dim|a number not above head_dim|head_layout{.head_dim = 64}, rope{.rotary_dim = 128}
positions.begin|$begin|position_range{-2147483649, 1}
positions.begin|$begin|position_range{2147483648, 2147483649}
positions.end|$end|position_range{4, 4}
positions.end|$end|position_range{0, 2147483649}
heads|a number from 1 to 65536|alibi{}
heads|a number from 1 to 65536|alibi{.heads = -8}
heads|a number from 1 to 65536|alibi{.heads = 65537}
form|causal, symmetric, key or last_key|alibi{.heads = 8, .form = static_cast<alibi_form>(4)}
buckets|a number from 4 to 1024|t5_bias{.buckets = 3}
buckets|a number from 4 to 1024|t5_bias{.buckets = 1025}
buckets|a number from 2 to 1024|t5_bias{.buckets = 1, .bidirectional = false}
max_distance|a number above the number of distances with a bucket of their own|t5_bias{.max_distance = 8}
max_distance|a number above the number of distances with a bucket of their own|t5_bias{.max_distance = 16, .bidirectional = false}
d_model|$d_model|sinusoidal{}
d_model|$d_model|sinusoidal{.d_model = -2}
d_model|$d_model|sinusoidal{.d_model = 65538}
d_model|an even number, unless odd is zero|sinusoidal{.d_model = 513}
base|$base|sinusoidal{.base = 1, .d_model = 4}
base|$base|sinusoidal{.base = nan, .d_model = 4}
base|$base|sinusoidal{.base = infinity, .d_model = 4}
shift|a number up to the number of pairs - 1|sinusoidal{.d_model = 4, .shift = 1.5}
scale|a number above 0, up to 2^64|sinusoidal{.d_model = 4, .scale = 0}
layout|interleaved, sin-cos or cos-sin|sinusoidal{.d_model = 4, .layout = static_cast<sinusoidal_layout>(3)}
odd|refuse or zero|sinusoidal{.d_model = 4, .odd = static_cast<odd_width>(2)}
padding_idx|a number from 0 up|sinusoidal{.d_model = 4, .padding_idx = -1}
kind|integer, normalised, binary or sine-only|index_code{.kind = static_cast<index_code_kind>(4)}
width|1: the code is one number|index_code{.width = 2}
width|a number from 1 to 62|index_code{.kind = index_code_kind::binary, .width = 63}
width|a number from 1 to 62|index_code{.kind = index_code_kind::binary, .width = 0}
width|a number from 1 to 65536|index_code{.kind = index_code_kind::sine_only, .width = 65537}
base|$base|index_code{.kind = index_code_kind::sine_only, .base = nan}
length|a whole number from 1 to 2147483648|index_code{.kind = index_code_kind::normalised}
strength|a finite number from 0 up|query_scale{.strength = nan}
length|a whole number from 1 to 2147483648|query_scale{.length = 0}
shift|0 or 1|query_scale{.shift = 2}
order|lsb or msb|index_code{.kind = index_code_kind::binary, .order = static_cast<bit_order>(2)}
max_position_embeddings|a whole number from 1 to 2147483648|learned{.d_model = 4}
d_model|a number from 1 to 65536|learned{.max_position_embeddings = 4}
CASES
must_refuse

begin tables "${tables[@]}"
while IFS='|' read -r field allowed table; do
  tabulating "$table" "$field" "$allowed"
done <<CASES
rotary_dim|$rotary_dim|inv_freq_table<float, rope{.rotary_dim = 7}>
rotary_dim|$rotary_dim|inv_freq_table<double, rope{}>
rotary_dim|$rotary_dim|inv_freq_table<binary16, rope{.rotary_dim = 65538}>
base|$base|inv_freq_table<bfloat16, rope{.base = 1, .rotary_dim = 64}>
base|$base|inv_freq_table<float, rope{.base = nan, .rotary_dim = 64}>
factor|$positive|inv_freq_table<float, $scaled linear{}}>
low_freq_factor|$positive|inv_freq_table<float, $scaled llama3{.factor = 8}}>
high_freq_factor|$positive|inv_freq_table<float, $scaled llama3{.factor = 8, .low_freq_factor = 1}}>
original_max_position_embeddings|$positive|inv_freq_table<float, $scaled yarn{.factor = 4}}>
beta_fast|$positive|inv_freq_table<float, $scaled $yarn, .beta_fast = 0}}>
beta_slow|$positive|inv_freq_table<float, $scaled $yarn, .beta_slow = 0}}>
mscale|$unset_or_above|inv_freq_table<float, $scaled $yarn, .mscale = -1.0}}>
mscale_all_dim|$unset_or_above|inv_freq_table<float, $scaled $yarn, .mscale_all_dim = -1.0}}>
attention_factor|$positive|inv_freq_table<float, $scaled $yarn, .attention_factor = -1.0}}>
rotary_dim|$rotary_dim|cos_table<float, rope{.rotary_dim = 7}, position_range{0, 4}>
positions.begin|$begin|cos_table<float, rope{.rotary_dim = 4}, position_range{-2147483649, 4}>
positions.end|$end|sin_table<double, rope{.rotary_dim = 4}, position_range{4, 4}>
heads|a number from 1 to 65536|alibi_slope_table<float, alibi{}>
buckets|a number from 4 to 1024|t5_bucket_table<t5_bias{.buckets = 3}, 4>
max_distance|a number above the number of distances with a bucket of their own|t5_bucket_table<t5_bias{.max_distance = 8}, 4>
d_model|$d_model|sinusoidal_table<float, sinusoidal{}, position_range{0, 4}>
d_model|an even number, unless odd is zero|sinusoidal_table<bfloat16, sinusoidal{.d_model = 7}, position_range{0, 4}>
padding_idx|a number from 0 up|sinusoidal_table<float, sinusoidal{.d_model = 4, .padding_idx = -1}, position_range{0, 4}>
positions.end|$end|sinusoidal_table<float, sinusoidal{.d_model = 4}, position_range{4, 4}>
position|a number from 0 to 2147483647|query_scale_table<float, query_scale{.strength = 1}, position_range{-1, 4}>
shift|0 or 1|query_scale_table<float, query_scale{.shift = -1}, position_range{0, 4}>
width|a number from 1 to 62|index_code_table<float, index_code{.kind = index_code_kind::binary, .width = 63}, position_range{0, 4}>
position|a number from 0 to 2^width - 1|index_code_table<float, index_code{.kind = index_code_kind::binary, .width = 2}, position_range{0, 5}>
CASES
must_refuse

echo "$tries cases with ${compilers[*]}, $failures of them wrong"
[ $failures = 0 ] || exit 1
[ ${#compilers[@]} = 2 ] || { echo "skipped: clang++-19 is not installed, g++ alone was asked"; exit 77; }
