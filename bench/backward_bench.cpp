// backward: the adjoint rotation, which training applies to gradients.

#include "bench/timed_rotation.hpp"

namespace ropewalk::bench {

void register_backward() {
  for (const ropewalk_dtype dtype : narrow_dtypes)
    for (const ropewalk_kernel& kernel : canonical_kernels())
      add_rotation("backward", {kernel, dtype, pairing::half_split, 512, ROPEWALK_BACKWARD});
}

}  // namespace ropewalk::bench
