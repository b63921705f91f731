#pragma once
// Which kernel to take: for a dtype and a number of positions, the fastest whose error is no larger than the
// rounding to that dtype.

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

/// The choice for one dtype at positions below `limit`. Rows belong to the record that it was made from.
struct recipe_choice {
  std::string dtype;
  std::int64_t limit = 0;
  double rounding = 0;                       // the largest distance that the dtype's own rounding leaves
  const measure::bench_row* take = nullptr;  // NULL: none is that precise
  double distance = measure::not_measured;   // of that kernel
  std::vector<const measure::bench_row*> as_good{};  // as precise, and as fast within the noise
  const measure::bench_row* in_binary64 = nullptr;   // recipe-f64, where it is as precise as the dtype
  std::vector<faster_kernel> faster{};  // the fastest last, each less precise than the one before
};

/// The error of a row below a limit; NaN if it was not measured, or the kernel does not serve such positions.
double distance_below(const measure::bench_row& row, std::int64_t limit);

/// A choice for each dtype and limit. Compared are the times of whole calls forward, beside memcpy's in the
/// same rounds, with as many tokens and the pairing that most kernels were timed with.
std::vector<recipe_choice> recipe_choices(const measure::bench_record& record, double radius = 1);

}  // namespace ropewalk::report
