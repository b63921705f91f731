#pragma once
// Times a program's kernel by the program's own clock.

#include "bench/timed_rotation.hpp"
#include "measure/bench_record.hpp"

namespace ropewalk::bench {

/// Appends one repetition: rounds that time a memcpy here, then calls of the function in the program's
/// process.
///
/// throws  std::runtime_error if the program measures no time; kernel_trouble if it fails
void time_program(measure::bench_row& row, const pace& how, const rotation_case& rotation,
                  rotation_work& work);

}  // namespace ropewalk::bench
