// apply: whole tensors, with canonical kernels and with the recipes of inference engines.

#include <string_view>

#include "bench/timed_rotation.hpp"

namespace ropewalk::bench {

void register_apply() {
  for (const ropewalk_dtype dtype : narrow_dtypes)
    for (const pairing pairs : pairings)
      for (const ropewalk_kernel& kernel : compared_kernels())
        add_rotation("apply", {kernel, dtype, pairs, 512});
  for (const ropewalk_dtype dtype : narrow_dtypes)
    for (const pairing pairs : pairings)
      for (const ropewalk_kernel& kernel : canonical_kernels())
        add_rotation("apply", {kernel, dtype, pairs, 4096});
  for (const pairing pairs : pairings)
    for (const int tokens : {512, 4096})
      add_rotation("apply", {cpu_table_kernel(), ROPEWALK_F64, pairs, tokens});
  for (const ropewalk_kernel& kernel : all_kernels())
    if (std::string_view(kernel.name).starts_with("cpu-turns-"))
      add_rotation("apply", {kernel, ROPEWALK_F32, pairing::half_split, 512});
}

}  // namespace ropewalk::bench
