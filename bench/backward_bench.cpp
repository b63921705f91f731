// backward: the adjoint rotation, which training applies to gradients.

#include "bench/benchmark_groups.hpp"
#include "bench/timed_rotation.hpp"

namespace ropewalk::bench {

void add_backward(case_list& to, const request& request) {
  for (const ropewalk_dtype dtype : request.dtypes)
    for (const verify::chosen_kernel& kernel : request.is_fixed ? canonical_kernels() : request.kernels)
      add_rotation(to, "backward",
                   {.kernel = kernel,
                    .dtype = dtype,
                    .measured = request.rotations.front(),
                    .tokens = request.is_fixed ? 512 : request.tokens.front(),
                    .flags = ROPEWALK_BACKWARD});
}

}  // namespace ropewalk::bench
