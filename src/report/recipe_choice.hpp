#pragma once
// Chooses kernels: for a dtype and a number of positions, the fastest kernel whose error is no larger than
// the rounding to that dtype.

#include <cstdint>
#include <string>
#include <vector>

#include "measure/bench_record.hpp"

namespace ropewalk::report {

/// A kernel that is faster and less precise.
struct faster_kernel {
  const measure::bench_row* row = nullptr;
  double times_faster = 1;
  double times_the_error = 1;
};

/// The choice for one dtype at positions below `limit`. Rows belong to the source record.
struct recipe_choice {
  std::string dtype;
  std::int64_t limit = 0;
  double rounding = 0;                               // the largest distance due to the dtype's rounding
  const measure::bench_row* take = nullptr;          // NULL: no kernel is that precise
  double distance = measure::not_measured;           // of the chosen kernel
  std::vector<const measure::bench_row*> as_good{};  // equally precise, and equally fast within the noise
  const measure::bench_row* in_binary64 = nullptr;   // recipe-f64, if it is as precise as the dtype
  std::vector<faster_kernel> faster{};  // by speed, the fastest last; each less precise than the previous one
};

/// The error of a row below a limit; NaN if not measured, or not served by the kernel.
double distance_below(const measure::bench_row& row, std::int64_t limit);

/// One choice per dtype and limit. Compares the times of whole forward calls, relative to memcpy's in the
/// same rounds, with the most frequent number of tokens and pairing.
std::vector<recipe_choice> recipe_choices(const measure::bench_record& record, double radius = 1);

}  // namespace ropewalk::report
