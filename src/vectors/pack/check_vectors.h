/* Judges a rotary embedding in C or C++ by the test vectors of rope.json and axes.json, which vectors.inc
   beside this file has as C tables. C99 or C++11; link with -lm. License: BSL-1.0. README.md says what the
   vectors and rules are.

   An example, complete: cc -std=c99 example.c -lm && ./a.out

    #include <math.h>
    #include <stdio.h>
    #include <string.h>
    #include "check_vectors.h"

    static int rope(const void* x, void* y, const check_vectors_call* call, void* user) {
      const float* in = (const float*)x;
      float* out = (float*)y;
      long head, heads = call->batch * call->tokens * call->heads;
      int pair;
      (void)user;
      if (call->dtype != check_vectors_f32) return 1;  // declined: of other formats nothing is judged
      memcpy(out, in, (size_t)(heads * call->head_dim) * sizeof *out);
      for (head = 0; head < heads; ++head, in += call->head_dim, out += call->head_dim)
        for (pair = 0; pair < call->pairs; ++pair) {
          const int* from = call->channels + 2 * pair;
          const int* to = call->channels_out + 2 * pair;
          const double angle = check_vectors_position(call, pair, head / call->heads) * call->inv_freq[pair];
          const float c = (float)(call->attention_factor * cos(angle));
          const float s = (float)(call->attention_factor * (call->backward ? -sin(angle) : sin(angle)));
          const float x0 = in[from[0]], x1 = in[from[1]];
          out[to[0]] = x0 * c - x1 * s;
          out[to[1]] = x0 * s + x1 * c;
        }
      return 0;
    }

    int main(void) { return check_vectors(rope, NULL, "rope-*", NULL, stdout); }
*/
#ifndef CHECK_VECTORS_H
#define CHECK_VECTORS_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __FAST_MATH__
#error "check_vectors.h compares NaNs and infinities: compile the file that includes it without -ffast-math"
#endif

/* The format of the data: float16 and bfloat16 are uint16_t. */
enum { check_vectors_f64, check_vectors_f32, check_vectors_f16, check_vectors_bf16 };

/* A call of your function. Data are laid out [batch][tokens][heads][head_dim]. */
typedef struct check_vectors_call {
  const char* id; /* of the case, as in the JSON files */
  int dtype;
  long batch, tokens, heads;
  int head_dim, pairs, axes;
  const int* channels;         /* [pairs][2], of the input; others pass through */
  const int* channels_out;     /* [pairs][2], of the output: mostly the same */
  const int* axis;             /* [pairs]: the row of positions that turns a pair */
  const double* positions;     /* [axes][batch][tokens]; whole numbers where no model has coordinates */
  const double* inv_freq;      /* [pairs], radians per position, rounded */
  const double* inv_freq_rest; /* [pairs]: what the rounding left; the sum of both is exact to 106 bits */
  double base;                 /* of the model; its frequencies may be scaled */
  double attention_factor;     /* multiplies cosine and sine; 1 in a call that leaves it out */
  int backward;                /* 1: turn by the negative angle */
} check_vectors_call;

/* Writes y, which does not overlap x. Returns 0; or another number to decline the call. */
typedef int (*check_vectors_function)(const void* x, void* y, const check_vectors_call* call, void* user);

typedef struct check_vectors_flag {
  const char *name, *hunts, *wrong_means, *seen; /* seen: public threads, separated by spaces */
} check_vectors_flag;

typedef struct check_vectors_rule {
  const char* promise;
  int is_distance; /* 0: equal bits */
  double relative;
  const double* per_position; /* [pairs], or null */
  double absolute;
} check_vectors_rule;

typedef struct check_vectors_case {
  const char* id;
  long batch, tokens, heads;
  const double* positions;
  int backward, unit;
  const void *x, *expected;
  const unsigned char* flags;
  int flag_count;
} check_vectors_case;

typedef struct check_vectors_group {
  const char* id;
  int dtype, head_dim, pairs, axes;
  const int *channels, *channels_out, *axis;
  const double *inv_freq, *inv_freq_rest;
  double base, attention_factor;
  int first_rule, rules, first_case, cases;
} check_vectors_group;

#include "vectors.inc"

/* The position that turns a pair of a token, batch rows counted through. */
static inline double check_vectors_position(const check_vectors_call* call, int pair, long token) {
  return call->positions[call->axis[pair] * call->batch * call->tokens + token];
}

static inline uint64_t check_vectors_bits(int dtype, const void* data, long at) {
  if (dtype == check_vectors_f64) {
    uint64_t bits;
    memcpy(&bits, (const char*)data + at * 8, 8);
    return bits;
  }
  if (dtype == check_vectors_f32) {
    uint32_t bits;
    memcpy(&bits, (const char*)data + at * 4, 4);
    return bits;
  } else {
    uint16_t bits;
    memcpy(&bits, (const char*)data + at * 2, 2);
    return bits;
  }
}

static inline long check_vectors_size(int dtype) {
  return dtype == check_vectors_f64 ? 8 : dtype == check_vectors_f32 ? 4 : 2;
}

/* The value of a number of any of the formats, which is exact in binary64. */
static inline double check_vectors_value(int dtype, const void* data, long at) {
  const uint64_t bits = check_vectors_bits(dtype, data, at);
  double value;
  if (dtype == check_vectors_f64) {
    memcpy(&value, &bits, 8);
  } else if (dtype == check_vectors_f16) {
    const int exponent = (int)(bits >> 10) & 31;
    const double fraction = (double)(bits & 1023);
    if (exponent == 31)
      value = fraction != 0 ? (double)NAN : (double)INFINITY;
    else
      value = exponent == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, exponent - 25);
    if (bits >> 15) value = -value;
  } else {
    const uint32_t wide = dtype == check_vectors_f32 ? (uint32_t)bits : (uint32_t)bits << 16;
    float single;
    memcpy(&single, &wide, 4);
    value = (double)single;
  }
  return value;
}

/* Equal bits, or two NaNs. */
static inline int check_vectors_same(int dtype, const void* first, const void* other, long at) {
  return check_vectors_bits(dtype, first, at) == check_vectors_bits(dtype, other, at) ||
         (isnan(check_vectors_value(dtype, first, at)) && isnan(check_vectors_value(dtype, other, at)));
}

/* A wrong place: two elements, or one (b < 0). */
typedef struct check_vectors_miss {
  const char* reason; /* null: right */
  long a, b;
  double error, allowed;
} check_vectors_miss;

typedef struct check_vectors_tally {
  long held, failed, undecided;
  const check_vectors_case* first; /* that fails */
  check_vectors_miss miss;
} check_vectors_tally;

/* Whether an element is wrong where not all are finite: what is finite in the expected output must be finite,
   and infinities must be the same. */
static inline int check_vectors_spread(double observed, double expected) {
  if (isfinite(expected)) return !isfinite(observed);
  return !isnan(expected) && observed != expected;
}

static inline check_vectors_miss check_vectors_missed(const char* reason, long a, long b, double error,
                                                      double allowed) {
  check_vectors_miss miss;
  miss.reason = reason, miss.a = a, miss.b = b, miss.error = error, miss.allowed = allowed;
  return miss;
}

/* Judges one output by one rule. *decided: pairs of which the rule says something. */
static inline check_vectors_miss check_vectors_judge(const check_vectors_group* group,
                                                     const check_vectors_case* test_case,
                                                     const check_vectors_rule* rule, const void* y,
                                                     long* decided) {
  const long heads = test_case->batch * test_case->tokens * test_case->heads, width = group->head_dim;
  check_vectors_miss worst = check_vectors_missed(NULL, 0, -1, 0, 0);
  double worst_ratio = 0;
  long head, channel;
  int pair;
  *decided = 0;
  for (head = 0; head < heads; ++head) {
    const long start = head * width;
    for (channel = 0; channel < width; ++channel) {
      int passes = 1;
      for (pair = 0; pair < 2 * group->pairs; ++pair) passes = passes && group->channels_out[pair] != channel;
      if ((passes || !rule->is_distance) &&
          !check_vectors_same(group->dtype, y, test_case->expected, start + channel))
        return check_vectors_missed(passes ? "a channel that passes through has other bits" : "other bits",
                                    start + channel, -1, 0, 0);
    }
    for (pair = 0; pair < group->pairs; ++pair) {
      const long a = start + group->channels_out[2 * pair], b = start + group->channels_out[2 * pair + 1];
      const double x0 = check_vectors_value(group->dtype, test_case->x, start + group->channels[2 * pair]);
      const double x1 =
          check_vectors_value(group->dtype, test_case->x, start + group->channels[2 * pair + 1]);
      const double e0 = check_vectors_value(group->dtype, test_case->expected, a),
                   e1 = check_vectors_value(group->dtype, test_case->expected, b);
      const double y0 = check_vectors_value(group->dtype, y, a), y1 = check_vectors_value(group->dtype, y, b);
      const double position =
          test_case
              ->positions[group->axis[pair] * test_case->batch * test_case->tokens + head / test_case->heads];
      const double factor =
          rule->relative + (rule->per_position ? rule->per_position[pair] * fabs(position) : 0);
      if (rule->is_distance && factor >= 1) continue; /* zeros would be right, too */
      ++*decided;
      if (!rule->is_distance) continue;
      if (!isfinite(x0) || !isfinite(x1) || !isfinite(e0) || !isfinite(e1)) {
        if (check_vectors_spread(y0, e0) || check_vectors_spread(y1, e1))
          return check_vectors_missed("an infinity or NaN is missing, or has spread", a, b, 0, 0);
      } else {
        /* Each side is off by less than 2^-50 of itself, or, where it underflows, by one subnormal number:
           with this slack no right output fails; check_vectors.py compares in fractions. A NaN fails. */
        const double error = hypot(y0 - e0, y1 - e1), allowed = factor * hypot(x0, x1) + rule->absolute;
        if (!(error <= allowed + ldexp(allowed, -48) + ldexp(1.0, -1074))) {
          const double ratio = isfinite(error) ? error / (allowed + ldexp(1.0, -1074)) : (double)INFINITY;
          if (worst.reason == NULL || ratio > worst_ratio)
            worst = check_vectors_missed("too far from the right numbers", a, b, error, allowed),
            worst_ratio = ratio;
        }
      }
    }
  }
  return worst;
}

/* Whether a name is that of a pattern, in which * stands for anything. */
static inline int check_vectors_matches(const char* pattern, const char* name) {
  for (; *pattern != '*'; ++pattern, ++name)
    if (*pattern != *name)
      return 0;
    else if (*pattern == '\0')
      return 1;
  for (;; ++name) {
    if (check_vectors_matches(pattern + 1, name)) return 1;
    if (*name == '\0') return 0;
  }
}

static inline void check_vectors_print_case(const check_vectors_case* test_case, FILE* report) {
  int flag;
  fprintf(report, "%s [", test_case->id);
  for (flag = 0; flag < test_case->flag_count; ++flag)
    fprintf(report, "%s%s", flag ? " " : "", check_vectors_flags[test_case->flags[flag]].name);
  fprintf(report, "]");
}

static inline void check_vectors_explain(const check_vectors_group* group, const check_vectors_tally* tally,
                                         const void* y, FILE* report) {
  const check_vectors_case* test_case = tally->first;
  const long width = group->head_dim, token = tally->miss.a / (width * test_case->heads);
  const long at[2] = {tally->miss.a, tally->miss.b};
  const int digits = (int)(2 * check_vectors_size(group->dtype));
  int number;
  fprintf(report, "%s: %s", test_case->id, tally->miss.reason);
  if (tally->miss.allowed > 0)
    fprintf(report, ": %.4g; allowed: %.4g", tally->miss.error, tally->miss.allowed);
  fprintf(report, "\n    at        batch row %ld, token %ld at position", token / test_case->tokens,
          token % test_case->tokens);
  for (number = 0; number < group->axes; ++number)
    fprintf(report, " %.17g", test_case->positions[number * test_case->batch * test_case->tokens + token]);
  fprintf(report, ", head %ld\n", tally->miss.a / width % test_case->heads);
  for (number = 0; number < 2 && at[number] >= 0; ++number)
    fprintf(report, "    channel %ld: expected %.9g (%0*llx), observed %.9g (%0*llx)\n", at[number] % width,
            check_vectors_value(group->dtype, test_case->expected, at[number]), digits,
            (unsigned long long)check_vectors_bits(group->dtype, test_case->expected, at[number]),
            check_vectors_value(group->dtype, y, at[number]), digits,
            (unsigned long long)check_vectors_bits(group->dtype, y, at[number]));
  for (number = 0; number < test_case->flag_count; ++number) {
    const check_vectors_flag* flag = &check_vectors_flags[test_case->flags[number]];
    fprintf(report, "    %s hunts: %s\n        wrong here means: %s\n", flag->name, flag->hunts,
            flag->wrong_means);
    if (*flag->seen) fprintf(report, "        seen in %s\n", flag->seen);
  }
}

/* Puts a case to the function. Returns 0, or 1 if it declines. *y is the output, to be freed. */
static inline int check_vectors_ask(check_vectors_function function, void* user,
                                    const check_vectors_group* group, const check_vectors_case* test_case,
                                    void** y) {
  const size_t size = (size_t)(test_case->batch * test_case->tokens * test_case->heads * group->head_dim *
                               check_vectors_size(group->dtype));
  check_vectors_call call;
  void* x = malloc(size);
  int declined;
  *y = malloc(size);
  if (x == NULL || *y == NULL) fprintf(stderr, "check_vectors.h: no memory\n"), exit(2);
  memcpy(x, test_case->x, size);
  memset(*y, 0xff, size); /* NaN: what is not written is wrong */
  call.id = test_case->id, call.dtype = group->dtype, call.batch = test_case->batch,
  call.tokens = test_case->tokens, call.heads = test_case->heads;
  call.head_dim = group->head_dim, call.pairs = group->pairs, call.axes = group->axes;
  call.channels = group->channels, call.channels_out = group->channels_out, call.axis = group->axis,
  call.positions = test_case->positions;
  call.inv_freq = group->inv_freq, call.inv_freq_rest = group->inv_freq_rest, call.base = group->base;
  call.attention_factor = test_case->unit ? 1 : group->attention_factor, call.backward = test_case->backward;
  declined = function(x, *y, &call, user);
  free(x);
  return declined != 0;
}

/* What a promise allows at position 1: orders promises from strict to loose. */
static inline double check_vectors_looseness(const check_vectors_group* group,
                                             const check_vectors_rule* rule) {
  double most = 0;
  int pair;
  if (!rule->is_distance) return -1;
  for (pair = 0; rule->per_position && pair < group->pairs; ++pair)
    most = fmax(most, rule->per_position[pair]);
  return rule->relative + most;
}

enum { check_vectors_most_rules = 16 };

/* Judges the cases of one group. Returns 0: the promise, or one of them, is kept; 1: none is; 2: nothing was
   decided. */
static inline int check_vectors_group_verdict(check_vectors_function function, void* user,
                                              const check_vectors_group* group, const char* promise,
                                              int explains, FILE* report) {
  const check_vectors_rule* rules = check_vectors_rules + group->first_rule;
  check_vectors_tally tally[check_vectors_most_rules];
  const check_vectors_tally* shown = NULL;
  const check_vectors_rule* kept = NULL;
  long asked = 0, declined = 0;
  int number, rule, failed = 0, is_known = 0;
  memset(tally, 0, sizeof tally);
  for (number = 0; number < group->cases; ++number) {
    const check_vectors_case* test_case = &check_vectors_cases[group->first_case + number];
    void* y;
    if (check_vectors_ask(function, user, group, test_case, &y)) {
      ++declined;
    } else {
      ++asked;
      for (rule = 0; rule < group->rules && rule < check_vectors_most_rules; ++rule) {
        long decided;
        const check_vectors_miss miss = check_vectors_judge(group, test_case, &rules[rule], y, &decided);
        if (miss.reason == NULL) {
          ++*(decided ? &tally[rule].held : &tally[rule].undecided);
        } else {
          if (tally[rule].failed++ == 0) tally[rule].first = test_case, tally[rule].miss = miss;
        }
      }
    }
    free(y);
  }
  if (asked == 0) return 2;
  for (rule = 0; rule < group->rules && rule < check_vectors_most_rules; ++rule) {
    if (promise != NULL && strcmp(promise, rules[rule].promise) != 0) continue;
    is_known = 1;
    if (tally[rule].failed == 0 && tally[rule].held > 0) {
      if (kept == NULL || check_vectors_looseness(group, &rules[rule]) < check_vectors_looseness(group, kept))
        kept = &rules[rule];
    } else if (tally[rule].failed > 0) {
      failed = 1;
      if (shown == NULL || tally[rule].failed <= shown->failed) shown = &tally[rule];
    }
  }
  if (kept != NULL) {
    const check_vectors_tally* own = &tally[kept - rules];
    fprintf(report, "holds     %s keeps %s in %ld cases; undecided: %ld; declined: %ld\n", group->id,
            kept->promise, own->held, own->undecided, declined);
    return 0;
  }
  if (!failed) {
    fprintf(report, "undecided %s %s; declined: %ld\n", group->id,
            is_known ? "decides nothing" : "has no bound for this promise", declined);
    return 2;
  }
  fprintf(report, "fails     %s breaks %s in %ld of %ld cases, first in ", group->id,
          rules[shown - tally].promise, shown->failed, asked);
  check_vectors_print_case(shown->first, report);
  fprintf(report, "; undecided: %ld; declined: %ld\n", shown->undecided, declined);
  if (explains) {
    void* y;
    if (!check_vectors_ask(function, user, group, shown->first, &y))
      check_vectors_explain(group, shown, y, report);
    free(y);
  }
  return 1;
}

/* Judges a function by the groups whose id matches a pattern ("rope-half-split-f32", "rope-*-bf16"; null:
   all). promise: what every group must keep ("hf", "canonical", ...); null: any promise of the pack.
   Returns 0: every group that was asked keeps it; 1: a group does not; 2: nothing was decided. */
static inline int check_vectors(check_vectors_function function, void* user, const char* groups,
                                const char* promise, FILE* report) {
  const int count = (int)(sizeof check_vectors_groups / sizeof *check_vectors_groups);
  int number, verdicts[3] = {0, 0, 0};
  for (number = 0; number < count; ++number) {
    const check_vectors_group* group = &check_vectors_groups[number];
    if (groups == NULL || check_vectors_matches(groups, group->id))
      ++verdicts[check_vectors_group_verdict(function, user, group, promise, verdicts[1] < 3, report)];
  }
  fprintf(report, "%d groups hold, %d fail, %d undecided or declined\n", verdicts[0], verdicts[1],
          verdicts[2]);
  return verdicts[1] ? 1 : verdicts[0] ? 0 : 2;
}

#endif
