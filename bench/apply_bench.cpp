// apply: rotations of whole tensors, by canonical kernels and by the recipes of inference engines.

#include <string_view>

#include "bench/benchmark_groups.hpp"
#include "bench/timed_rotation.hpp"
#include "kernel/kernels.hpp"

namespace ropewalk::bench {
namespace {

constexpr std::int64_t short_tokens = 512, long_tokens = 4096;  // long tensors exceed the caches
constexpr std::int64_t cached_tokens[] = {4, 64};               // tensors that fit in nearer caches

void add_fixed_rows(case_list& to, const request& request) {
  for (const ropewalk_dtype dtype : request.dtypes)
    for (const auto& rotation : request.rotations)
      for (const verify::chosen_kernel& kernel : request.kernels)
        add_rotation(to, "apply", {kernel, dtype, rotation, short_tokens});
  if (request.is_quick) return;
  for (const ropewalk_dtype dtype : request.dtypes)
    for (const auto& rotation : request.rotations)
      for (const verify::chosen_kernel& kernel : canonical_kernels())
        add_rotation(to, "apply", {kernel, dtype, rotation, long_tokens});
  for (const auto& rotation : request.rotations)
    for (const std::int64_t tokens : {short_tokens, long_tokens})
      add_rotation(to, "apply", {verify::only_kernel("cpu-table"), ROPEWALK_F64, rotation, tokens});
  for (const std::int64_t tokens : cached_tokens)
    for (const verify::chosen_kernel& kernel : request.kernels)
      if (!verify::needs_device(kernel))
        add_rotation(to, "apply", {kernel, ROPEWALK_F32, request.rotations.front(), tokens});
  for (const verify::chosen_kernel& kernel : verify::nameable_kernel_list())
    if (std::string_view(kernel.entry->name).starts_with("cpu-turns-"))
      add_rotation(to, "apply", {kernel, ROPEWALK_F32, request.rotations.front(), short_tokens});
}

}  // namespace

void add_apply(case_list& to, const request& request) {
  if (request.is_fixed) return add_fixed_rows(to, request);
  for (const std::int64_t tokens : request.tokens)
    for (const ropewalk_dtype dtype : request.dtypes)
      for (const verify::chosen_kernel& kernel : request.kernels)
        add_rotation(to, "apply", {kernel, dtype, request.rotations.front(), tokens});
}

}  // namespace ropewalk::bench
