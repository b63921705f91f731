#include <cstdint>
#include <cstdio>
#include <string_view>

#include "ropewalk/config/rope.hpp"
#include "ropewalk/kernel/resolved.hpp"
#include "ropewalk/kernel/threads.hpp"

// From a configuration to rotated data on two threads: query [tokens 8, heads 2, head_dim 64], in place.
int main() {
  std::size_t count = 0;
  const ropewalk_kernel* const* kernels = ropewalk_kernels(&count);
  const ropewalk_kernel* kernel = nullptr;
  for (std::size_t i = 0; i < count; ++i)
    if (std::string_view(kernels[i]->name) == "cpu-turns") kernel = kernels[i];
  if (kernel == nullptr) return 1;

  ropewalk_error error{};
  ropewalk_plan* plan = nullptr;
  const ropewalk::resolved_encoding encoding({.base = 10000, .rotary_dim = 64}, {.head_dim = 64});
  const ropewalk_rotation resolved = encoding.view();
  if (kernel->plan(&resolved.head, &plan, &error) != ROPEWALK_OK) return std::puts(error.text), 1;

  float query[8][2][64] = {};
  for (auto& token : query) token[1][0] = 1;
  const ropewalk_tensor view{query, ROPEWALK_F32, 3, {8, 2, 64}, {128, 64, 1}};
  ropewalk_rotation_call call = ropewalk::empty_call<ropewalk::rotate>();
  call.query_in = call.query_out = view;
  call.tokens.end = 8;
  const std::int32_t status = ropewalk::apply_with_threads(*kernel, plan, call, 2, &error);
  kernel->free_plan(plan);
  if (status != ROPEWALK_OK) return std::puts(error.text), 1;
  // Pair 0 of half-split is channels 0 and 32; it turns by one radian per position: cos 7, sin 7.
  return query[7][1][0] == 0x1.81ff7ap-1F && query[7][1][32] == 0x1.50608cp-1F ? 0 : 1;
}
