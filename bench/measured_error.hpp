#pragma once
// How far a kernel is from the exact value, seen through its own apply: a vector (1, 0) turned is a cosine
// and a sine.

#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>

#include "bench/rotation.hpp"

namespace ropewalk::bench {

inline constexpr std::array<std::int64_t, 4> error_limits = {2048, 131072, std::int64_t{1} << 20,
                                                             std::int64_t{1} << 31};

/// The worst of the positions sampled below a limit; those below smaller limits are among them.
struct measured_error {
  double ulp = 0;  // largest |got - exact|, in units in the last place of the exact value's nearest number
  double normwise = 0;           // largest distance of a pair from its exact (cos, sin)
  double correctly_rounded = 0;  // share of entries
};

/// Below each of error_limits. The same positions for every kernel; remembered by kernel, dtype and pairing.
///
/// throws  std::runtime_error with the kernel's own words
const std::array<measured_error, error_limits.size()>& error_of(const ropewalk_kernel& kernel,
                                                                ropewalk_dtype dtype, pairing pairs);

/// As counters max_ulp_N, normwise_N and correctly_rounded_N, N the limit.
void count_error(benchmark::State& state, const ropewalk_kernel& kernel, ropewalk_dtype dtype, pairing pairs);

}  // namespace ropewalk::bench
