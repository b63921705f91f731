#pragma once
// What correct rounding leaves of the sinusoidal encoding: by how much its shift may be off a rotation, and
// up to which distance no two of its rows can be the same.

#include <cstdint>
#include <vector>

#include "ropewalk/encoding/sinusoidal.hpp"
#include "ropewalk/law/judge/bound.hpp"

namespace ropewalk {

/// |PE(p + k) - R PE(p)| of one pair, both ends rounded: half of 2^-precision an entry, so u / sqrt 2 a pair
/// and end, and R keeps lengths: sqrt 2 u. Subnormal entries move less.
///
/// units   none
/// error   rounded up; proofs/table/sinusoidal_table_proof.cpp has the rounding of an entry
template <floating_format Float>
inline constexpr double sinusoidal_shift_bound = detail::product_up(root_of_two, unit_roundoff<Float>);

namespace detail {

/// Whether rows that far apart differ in some pair by more than two roundings: |e^(i k f) - 1|, which is
/// 2 |sin(k f / 2)|, above the shift's bound, which is the largest distance of two points that round to one.
template <int N>
constexpr bool differs_beyond_rounding(std::int64_t distance, const std::vector<enclosure<N>>& turns,
                                       double bound) {
  for (const enclosure<N>& per_row : turns) {
    const auto half = cos_sin_of_turns(times_power_of_two(per_row * enclosure<N>::of(distance), -1));
    const enclosure<N> chord = times_power_of_two(absolute(half.sin), 1);
    if (compare(chord, enclosure<N>::of(bound)) == order::greater) return true;
  }
  return false;
}

}  // namespace detail

/// How many consecutive positions surely have rows of their own in a correctly rounded table: the smallest
/// distance at which every pair of two rows may round alike. The exact rows are never the same, at any
/// distance.
///
/// domain  limit >= 1, the most that is looked for
/// throws  std::invalid_argument naming the field and its value
template <floating_format Float>
std::int64_t sinusoidal_distinct_length(const sinusoidal& config, std::int64_t limit) {
  require(limit >= 1, "limit", static_cast<double>(limit), "a number from 1 up");
  constexpr int limb_count = 2;
  const enclosure<limb_count> shared = log_base<limb_count>(config);
  std::vector<enclosure<limb_count>> turns;
  for (int pair = 0; pair < pair_count(config); ++pair)
    turns.push_back(sinusoidal_turns<limb_count>(pair, config, shared));
  for (std::int64_t distance = 1; distance < limit; ++distance)
    if (!detail::differs_beyond_rounding(distance, turns, sinusoidal_shift_bound<Float>)) return distance;
  return limit;
}

}  // namespace ropewalk
