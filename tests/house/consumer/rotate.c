/* A C11 program that finds each canonical kernel, makes a plan, applies it and compares the bits, and then
 * tries arguments that must be refused. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <ropewalk/kernel.h>

enum { head_dim = 5, tokens = 2, elements = tokens * head_dim };

/* ropewalk table inv-freq --dtype f64 --base 10000 --head-dim 4, and ropewalk table turns likewise */
static const double inv_freq[] = {1, 0.01};
static const uint32_t turns[] = {2102212464, 2131351028, 2475754826, 683565275,
                                 1051814276, 1138005007, 3245983020, 6835652};
static const int32_t positions[tokens] = {1000000, 2147483647};

/* Sollya's printsingle of cos(1000000), sin(1000000), cos(10000), sin(10000); cos(2147483647),
 * sin(2147483647), cos(21474836.47), sin(21474836.47). The last channel of a head is not rotated. */
static const uint32_t expected[elements] = {0x3f6fcefd, 0xbeb33259, 0xbf73c074, 0xbe9c797d, 0x40e00000,
                                            0xbf30579a, 0xbf399422, 0xbf367b35, 0x3f338ba5, 0x40e00000};
static const float ones[elements] = {1, 0, 1, 0, 7, 1, 0, 1, 0, 7};

static int failures = 0;

static void expect(int holds, const char* kernel, const char* what) {
  if (holds) return;
  printf("%s: %s\n", kernel, what);
  ++failures;
}

static ropewalk_rotation encoding_of(void) {
  ropewalk_rotation r = {
      .head = {sizeof r, ROPEWALK_ROTATE}, .head_dim = head_dim, .rotary_dim = 4, .axes = 1};
  r.inv_freq = inv_freq;
  r.turns = turns;
  r.attention_factor = 1;
  return r;
}

static ropewalk_rotation_call call_of(const void* in, void* out) {
  ropewalk_tensor view = {.dtype = ROPEWALK_F32, .rank = 3, .shape = {tokens, 1, head_dim}};
  view.stride[0] = view.stride[1] = head_dim;
  view.stride[2] = 1;
  ropewalk_rotation_call r = {.head = {sizeof r, ROPEWALK_ROTATE}, .query_in = view, .query_out = view};
  r.query_in.data = (void*)(uintptr_t)in;
  r.query_out.data = out;
  r.tokens.positions.kind = ROPEWALK_POSITIONS_I32;
  r.tokens.positions.axes = 1;
  r.tokens.positions.data = positions;
  r.tokens.positions.stride[2] = 1;
  r.tokens.end = tokens;
  return r;
}

static void check_bits(const ropewalk_kernel* kernel, const ropewalk_plan* plan) {
  unsigned char memory[1 + sizeof expected];
  for (size_t shift = 0; shift < 2; ++shift) {
    ropewalk_error error = {{0}, {0}};
    const ropewalk_rotation_call call = call_of(ones, memory + shift);
    expect(kernel->apply(plan, &call.head, &error) == ROPEWALK_OK, kernel->name, error.text);
    expect(memcmp(memory + shift, expected, sizeof expected) == 0, kernel->name,
           shift == 0 ? "wrong bits" : "wrong bits where the data is not aligned");
  }
}

static void check_refusal(const ropewalk_kernel* kernel, const ropewalk_plan* plan,
                          const ropewalk_rotation_call* call, const char* field) {
  ropewalk_error error = {{0}, {0}};
  float before[2 * elements];
  memcpy(before, call->query_in.data, sizeof before);
  expect(kernel->apply(plan, &call->head, &error) == ROPEWALK_INVALID_ARGUMENT, kernel->name, field);
  expect(strcmp(error.field, field) == 0, field, error.field);
  expect(error.text[0] != 0, field, "nothing is said");
  expect(memcmp(before, call->query_in.data, sizeof before) == 0, field, "something was written");
}

static void check_refusals(const ropewalk_kernel* kernel, const ropewalk_plan* plan) {
  float memory[2 * elements] = {0};
  const ropewalk_rotation_call right = call_of(memory, memory + elements);
  ropewalk_rotation_call wrong = right;
  check_refusal(kernel, NULL, &wrong, "plan");
  wrong.head.struct_size = 7;
  check_refusal(kernel, plan, &wrong, "struct_size");
  wrong = right;
  wrong.head.operation = ROPEWALK_ADD_ROW;
  check_refusal(kernel, plan, &wrong, "operation");
  wrong = right;
  wrong.query_in.dtype = 4;
  check_refusal(kernel, plan, &wrong, "query_in.dtype");
  wrong = call_of(memory, memory + 1);
  check_refusal(kernel, plan, &wrong, "query_out.data");
}

int main(void) {
  size_t count = 0, checked = 0;
  const ropewalk_kernel* const* kernels = ropewalk_kernels(&count);
  for (size_t i = 0; i < count; ++i) {
    const ropewalk_kernel* kernel = kernels[i];
    if (kernel->operation != ROPEWALK_ROTATE) continue;
    ropewalk_plan* plan = NULL;
    ropewalk_error error = {{0}, {0}};
    const ropewalk_rotation encoding = encoding_of();
    if (kernel->promise->bits != ROPEWALK_CANONICAL) continue;
    ++checked;
    expect(kernel->plan(&encoding.head, &plan, &error) == ROPEWALK_OK, kernel->name, error.text);
    check_bits(kernel, plan);
    check_refusals(kernel, plan);
    kernel->free_plan(plan);
    ropewalk_rotation wrong = encoding;
    wrong.rotary_dim = 3;
    expect(kernel->plan(&wrong.head, &plan, &error) == ROPEWALK_INVALID_ARGUMENT, kernel->name,
           "rotary_dim 3");
    expect(strcmp(error.field, "rotary_dim") == 0 && plan == NULL, kernel->name, error.field);
  }
  expect(checked == 2, "ropewalk_kernels", "cpu-turns and cpu-table are not all there is");
  if (failures == 0) printf("%zu kernels\n", checked);
  return failures != 0;
}
