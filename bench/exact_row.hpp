#pragma once
// Checks rows and outputs with known bits.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/rotation.hpp"
#include "measure/bench_record.hpp"
#include "ropewalk/table/rope_rows.hpp"

namespace ropewalk::bench {

/// Records in a row whether a result is correct. A wrong result stays recorded.
inline void say_result(measure::bench_row& row, bool holds, const std::string& what) {
  if (row.is_wrong) return;
  row.is_wrong = !holds;
  row.check = holds ? what : "WRONG: not " + what;
}

/// Checks the cosines and sines of one position of the fixed rotation bit for bit, in any format.
///
/// shape   cos, sin [pairs]
template <class Float>
void check_exact_bits(measure::bench_row& row, std::int64_t position, const void* cos, const void* sin) {
  static const rope_rows rows(configuration);
  std::vector<bits_of<Float>> want_cos(static_cast<std::size_t>(rows.pairs())), want_sin(want_cos);
  rows.row<Float>(position, false, want_cos.data(), want_sin.data());
  const std::size_t bytes = want_cos.size() * sizeof want_cos[0];
  say_result(row,
             std::memcmp(want_cos.data(), cos, bytes) == 0 && std::memcmp(want_sin.data(), sin, bytes) == 0,
             "the exact cosines and sines, correctly rounded");
}

template <class Float>
void check_exact_row(measure::bench_row& row, std::int64_t position, const Float* cos, const Float* sin) {
  check_exact_bits<Float>(row, position, cos, sin);
}

/// The same kernel on the plainest instruction set, which shares no vector code with the best one: the last
/// of `kernels` with the kernel's name as prefix.
inline const ropewalk_kernel& plain_kernel(std::span<const ropewalk_kernel> kernels,
                                           const ropewalk_kernel& kernel) {
  const std::string prefix = std::string(kernel.name) + "-";
  const ropewalk_kernel* result = &kernel;
  for (const ropewalk_kernel& candidate : kernels)
    if (std::string_view(candidate.name).starts_with(prefix)) result = &candidate;
  return *result;
}

/// Compares an output with the bits of another kernel.
inline void check_same_bits(measure::bench_row& row, const std::byte* got, const std::byte* want,
                            std::size_t bytes, const std::string& whose) {
  say_result(row, std::equal(got, got + bytes, want), "the bits of " + whose);
}

}  // namespace ropewalk::bench
