// backward: the adjoint rotation, which training applies to gradients.

#include "bench/benchmark_groups.hpp"
#include "bench/timed_rotation.hpp"

namespace ropewalk::bench {

void add_backward(case_list& to, const request& of) {
  for (const ropewalk_dtype dtype : of.dtypes)
    for (const verify::chosen_kernel& kernel : of.is_fixed ? canonical_kernels() : of.kernels)
      add_rotation(to, "backward",
                   {.kernel = kernel,
                    .dtype = dtype,
                    .of = of.rotations.front(),
                    .tokens = of.is_fixed ? 512 : of.tokens.front(),
                    .flags = ROPEWALK_BACKWARD});
}

}  // namespace ropewalk::bench
