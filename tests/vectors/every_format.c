/* A rope in every format of the pack, on any axes: check_vectors_test.py compiles it beside the pack. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check_vectors.h"

/* Rounds to a 16-bit format: bits of its significand, exponents of its smallest subnormal and of its largest
   power of two. */
static uint16_t narrow(double x, int precision, int smallest, int largest) {
  const int sign = signbit(x) ? 0x8000 : 0, fraction_bits = precision - 1,
            top = (1 << (15 - fraction_bits)) - 1;
  int exponent;
  double units;
  if (isnan(x)) return (uint16_t)(top << fraction_bits | 1);
  frexp(x, &exponent);
  exponent = exponent - precision < smallest || x == 0 ? smallest : exponent - precision;
  units = rint(ldexp(fabs(x), -exponent));
  if (isinf(x) || ldexp(units, exponent) >= ldexp(1, largest + 1))
    return (uint16_t)(sign | top << fraction_bits);
  return (uint16_t)(sign | (((exponent - smallest) << fraction_bits) + (int)units));
}

static void store(int dtype, void* y, long at, double value) {
  if (dtype == check_vectors_f64) {
    memcpy((char*)y + 8 * at, &value, 8);
  } else if (dtype == check_vectors_f32) {
    const float single = (float)value;
    memcpy((char*)y + 4 * at, &single, 4);
  } else {
    const uint16_t bits =
        dtype == check_vectors_f16 ? narrow(value, 11, -24, 15) : narrow(value, 8, -133, 127);
    memcpy((char*)y + 2 * at, &bits, 2);
  }
}

static int rope(const void* x, void* y, const check_vectors_call* call, void* user) {
  const int dtype = call->dtype;
  const long heads = call->batch * call->tokens * call->heads;
  const size_t bytes = (size_t)(heads * call->head_dim) * (dtype == check_vectors_f64   ? 8
                                                           : dtype == check_vectors_f32 ? 4
                                                                                        : 2);
  long head;
  int pair;
  (void)user;
  memcpy(y, x, bytes);
  for (head = 0; head < heads; ++head)
    for (pair = 0; pair < call->pairs; ++pair) {
      const double angle = check_vectors_position(call, pair, head / call->heads) * call->inv_freq[pair];
      const double c = call->attention_factor * cos(angle),
                   s = call->attention_factor * (call->backward ? -sin(angle) : sin(angle));
      const double x0 = check_vectors_value(dtype, x, head * call->head_dim + call->channels[2 * pair]);
      const double x1 = check_vectors_value(dtype, x, head * call->head_dim + call->channels[2 * pair + 1]);
      store(dtype, y, head * call->head_dim + call->channels_out[2 * pair], x0 * c - x1 * s);
      store(dtype, y, head * call->head_dim + call->channels_out[2 * pair + 1], x0 * s + x1 * c);
    }
  return 0;
}

int main(void) { return check_vectors(rope, NULL, NULL, "angle-f64", stdout); }
