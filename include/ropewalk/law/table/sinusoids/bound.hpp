#pragma once
// Effects of correct rounding on the sinusoidal encoding: by how much a shift may differ from a rotation, and
// up to which distance no two rows can be equal.

#include <cstdint>
#include <vector>

#include "ropewalk/encoding/sinusoidal.hpp"
#include "ropewalk/kernel/dtype.hpp"
#include "ropewalk/law/judge/bound.hpp"

namespace ropewalk {

/// Bound of |PE(p + k) - R PE(p)| for one pair, with both rows rounded. Rounding moves an entry by at most
/// u / 2, and so a pair by at most u / sqrt 2. R preserves lengths, so that both roundings make sqrt 2 u.
/// Subnormal entries move less.
///
/// units   none
/// error   rounded up; proofs/table/sinusoidal_table_proof.cpp bounds the rounding of an entry
template <floating_format Float>
inline constexpr double sinusoidal_shift_bound = detail::product_up(root_of_two, unit_roundoff<Float>);

/// sinusoidal_shift_bound of a dtype.
constexpr double sinusoidal_shift_bound_in(ropewalk_dtype dtype) {
  return with_format(dtype, []<class Float>() { return sinusoidal_shift_bound<Float>; });
}

namespace detail {

/// Whether exact rows `distance` apart differ in some pair by more than two roundings can close:
/// |e^(i k f) - 1| = 2 |sin(k f / 2)| above `bound`, the largest distance of two points that round alike.
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

/// Number of consecutive positions whose rows are certainly distinct in a correctly rounded table: the
/// smallest distance at which every pair of two rows may round alike, at most `limit`. Exact rows differ at
/// every distance.
///
/// domain  limit >= 1
/// throws  std::invalid_argument naming the field and its value
template <floating_format Float>
std::int64_t sinusoidal_distinct_length(const sinusoidal& config, std::int64_t limit) {
  require(limit >= 1, "limit", static_cast<double>(limit), "1 or above");
  constexpr int limb_count = 2;
  const auto shared = share<limb_count>(config);
  std::vector<enclosure<limb_count>> turns;
  for (int pair = 0; pair < pair_count(config); ++pair)
    turns.push_back(sinusoidal_turns<limb_count>(pair, config, shared));
  for (std::int64_t distance = 1; distance < limit; ++distance)
    if (!detail::differs_beyond_rounding(distance, turns, sinusoidal_shift_bound<Float>)) return distance;
  return limit;
}

}  // namespace ropewalk
