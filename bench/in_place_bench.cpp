// in-place: rotations whose output is their input.

#include "bench/timed_rotation.hpp"

namespace ropewalk::bench {

void register_in_place() {
  for (const ropewalk_dtype dtype : narrow_dtypes)
    for (const ropewalk_kernel& kernel : canonical_kernels())
      add_rotation(
          "in-place",
          {.kernel = kernel, .dtype = dtype, .pairs = pairing::half_split, .tokens = 512, .in_place = true});
}

}  // namespace ropewalk::bench
