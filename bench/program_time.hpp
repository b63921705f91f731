#pragma once
// Times of a program's kernel, by its own clock.

#include "bench/timed_rotation.hpp"
#include "measure/bench_record.hpp"

namespace ropewalk::bench {

/// Appends one repetition: rounds that time a memcpy here, and then calls of the function in the program's
/// process.
///
/// throws  std::runtime_error where the program measures no time; kernel_trouble where it fails
void time_program(measure::bench_row& row, const pace& how, const rotation_case& rotation,
                  rotation_work& work);

}  // namespace ropewalk::bench
