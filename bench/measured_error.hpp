#pragma once
// The error of a kernel's cosines and sines, measured through its apply function: it turns (1, 0) into a
// cosine and a sine.

#include <array>
#include <cstdint>

#include "bench/rotation.hpp"

namespace ropewalk::bench {

inline constexpr std::array<std::int64_t, 4> error_limits = {2048, 131072, std::int64_t{1} << 20,
                                                             std::int64_t{1} << 31};

/// Errors over all positions sampled below a limit, including those sampled below smaller limits.
struct measured_error {
  double ulp = 0;                // largest |got - exact| in ulp of the correctly rounded value
  double normwise = 0;           // largest distance of a pair from its exact (cos, sin)
  double correctly_rounded = 0;  // share of entries
};

/// Errors of a kernel below each of error_limits, at the same positions for every kernel. Cached by kernel,
/// dtype and pairing.
///
/// throws  std::runtime_error with the kernel's error text
const std::array<measured_error, error_limits.size()>& error_of(const ropewalk_kernel& kernel,
                                                                ropewalk_dtype dtype, pairing pairs);

}  // namespace ropewalk::bench
