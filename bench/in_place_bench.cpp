// in-place: rotations whose output is their input.

#include "bench/benchmark_groups.hpp"
#include "bench/timed_rotation.hpp"

namespace ropewalk::bench {

void add_in_place(case_list& to, const request& of) {
  for (const ropewalk_dtype dtype : of.dtypes)
    for (const verify::chosen_kernel& kernel : of.is_fixed ? canonical_kernels() : of.kernels)
      add_rotation(to, "in-place",
                   {.kernel = kernel,
                    .dtype = dtype,
                    .of = of.rotations.front(),
                    .tokens = of.is_fixed ? 512 : of.tokens.front(),
                    .in_place = true});
}

}  // namespace ropewalk::bench
