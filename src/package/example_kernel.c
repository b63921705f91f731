/* A whole kernel for ropewalk to judge, as an engine would write it: dense binary32 heads of either pairing.
 *
 *   cc -O2 -shared -fPIC -I include src/package/example_kernel.c -o example_kernel.so -lm
 *   ropewalk verify example_kernel.so --model llama-3.1-8b
 *
 * It is installed as share/doc/libropewalk-dev/examples/example_kernel.c, beside include.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ropewalk/kernel/kernel.h"

struct ropewalk_plan {
  int32_t rotary_dim, pairing;
  double attention_factor;
  double inv_freq[];
};

/* What it promises: the angle is formed in binary64, cosine and sine are rounded to binary32, and so are the
 * products and sums. `ropewalk explain law accuracy` prints the bound that follows. */
static const ropewalk_promise promise = {.struct_size = sizeof promise,
                                         .angle = ROPEWALK_PART_F64,
                                         .table = ROPEWALK_PART_F32,
                                         .rotation = ROPEWALK_PART_F32,
                                         .is_fused = 1};

/* What it does not serve, and is never asked for. */
static const ropewalk_limits limits = {
    .struct_size = sizeof limits,
    .dtypes = 1u << ROPEWALK_F32,
    .not_served = ROPEWALK_DENSE | ROPEWALK_NO_CROSSING | ROPEWALK_NO_CHECKS | ROPEWALK_NO_BEGIN,
    .axes = 1};

static int32_t plan(const ropewalk_head* encoding, ropewalk_plan** made, ropewalk_error* error) {
  const ropewalk_rotation* rotation = (const ropewalk_rotation*)encoding;
  const size_t pairs = (size_t)rotation->rotary_dim / 2;
  (void)error;
  *made = malloc(sizeof **made + pairs * sizeof *rotation->inv_freq);
  if (*made == NULL) return ROPEWALK_OUT_OF_MEMORY;
  (*made)->rotary_dim = rotation->rotary_dim;
  (*made)->pairing = rotation->pairing_in;
  (*made)->attention_factor = rotation->attention_factor;
  memcpy((*made)->inv_freq, rotation->inv_freq, pairs * sizeof *rotation->inv_freq);
  return ROPEWALK_OK;
}

static void rotate(const ropewalk_plan* plan, const ropewalk_rotation_call* call, const ropewalk_tensor* in,
                   const ropewalk_tensor* out) {
  const ropewalk_positions* positions = &call->tokens.positions;
  const int first = 4 - in->rank; /* rank 3 has no batch */
  const int64_t batch = first ? 1 : in->shape[0], tokens = in->shape[1 - first], heads = in->shape[2 - first],
                head_dim = in->shape[3 - first];
  const double factor = call->flags & ROPEWALK_UNIT ? 1 : plan->attention_factor;
  const float* x = in->data;
  float* y = out->data;
  for (int64_t token = 0; token < batch * tokens; ++token) {
    const int64_t row = token / tokens, column = token % tokens;
    const double position =
        positions->kind == ROPEWALK_COUNTED
            ? (double)column
            : ((const int32_t*)positions->data)[row * positions->stride[1] + column * positions->stride[2]];
    for (int64_t head = 0; head < heads; ++head, x += head_dim, y += head_dim) {
      memcpy(y, x, (size_t)head_dim * sizeof *x); /* channels from rotary_dim on pass through */
      for (int32_t pair = 0; pair < plan->rotary_dim / 2; ++pair) {
        const double angle = position * plan->inv_freq[pair];
        const float c = (float)(factor * cos(angle)), s = (float)(factor * sin(angle));
        const float sine = call->flags & ROPEWALK_BACKWARD ? -s : s;
        const int interleaved = plan->pairing == ROPEWALK_INTERLEAVED;
        const int32_t i = interleaved ? 2 * pair : pair, j = interleaved ? i + 1 : i + plan->rotary_dim / 2;
        y[i] = x[i] * c - x[j] * sine;
        y[j] = x[i] * sine + x[j] * c;
      }
    }
  }
}

static int32_t apply(const ropewalk_plan* plan, const ropewalk_head* head, ropewalk_error* error) {
  const ropewalk_rotation_call* call = (const ropewalk_rotation_call*)head;
  (void)error;
  rotate(plan, call, &call->query_in, &call->query_out);
  if (call->key_in.data != NULL) rotate(plan, call, &call->key_in, &call->key_out);
  return ROPEWALK_OK;
}

static void free_plan(ropewalk_plan* plan) { free(plan); }

static const ropewalk_kernel example = {.struct_size = sizeof example,
                                        .abi = ROPEWALK_ABI,
                                        .name = "example",
                                        .operation = ROPEWALK_ROTATE,
                                        .promise = &promise,
                                        .limits = &limits,
                                        .plan = plan,
                                        .apply = apply,
                                        .free_plan = free_plan};

const ropewalk_kernel* const* ropewalk_kernels(size_t* count) {
  static const ropewalk_kernel* const kernels[] = {&example};
  *count = 1;
  return kernels;
}
