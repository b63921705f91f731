#pragma once
// Laws about the pairs of a sinusoidal table: their frequencies, and that distance turns them.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/encoding/sinusoidal_shift.hpp"
#include "ropewalk/law/judge_pairs.hpp"
#include "ropewalk/law/sinusoidal_bound.hpp"
#include "ropewalk/law/sinusoidal_source.hpp"
#include "ropewalk/numeric/round.hpp"

namespace ropewalk {

namespace detail {

template <floating_format Float>
inline constexpr bits_of<Float> one_of = round_magnitude<Float>(false, limbs_of<1>(1), 0, false);

/// Whether correct rounding keeps x above y: their distance is more than two roundings can close.
template <floating_format Float>
bool stays_above(const enclosure<2>& x, const enclosure<2>& y) {
  const enclosure<2> two_roundings =
      times_power_of_two(x, 1 - format<Float>::precision) + enclosure<2>::of(smallest_subnormal<Float>);
  return compare(x - y, two_roundings) == order::greater;
}

/// At position 1 a pair's sine is the sine of its frequency, which lies in (0, 1] and falls with the pair.
template <floating_format Float>
measurement measure_frequencies(const sinusoidal_source<Float>& source, const sinusoidal& config,
                                std::int64_t) {
  const held_sinusoids<Float> rows(source, {1, 2}, config);
  const enclosure<2> shared = log_base<2>(config);
  const auto exact_sine = [&](int pair) {
    return cos_sin_of_turns(sinusoidal_turns<2>(pair, config, shared)).sin;
  };
  measurement m;
  enclosure<2> before = enclosure<2>::of(1);
  bits_of<Float> limit = one_of<Float>;
  for (int pair = 0; pair < pair_count(config); ++pair) {
    const enclosure<2> sine = exact_sine(pair);
    const bits_of<Float> got = rows.pair_at(1, pair).first;
    const bool strictly = stays_above<Float>(before, sine);
    record(m, judge_equal(strictly ? got < limit : got <= limit), place_of(1, pair, -1), [&] {
      return evidence{dtype_of<Float>, 1, {}, {limit}, {got}};
    });
    before = sine;
    limit = got;
  }
  return m;
}

/// All pairs of two rows `distance` apart, judged against the rotation of the first.
template <floating_format Float>
void judge_shift(measurement& m, const held_sinusoids<Float>& rows, std::int64_t position,
                 std::int64_t distance, const std::vector<cos_sin<2>>& turns) {
  const sinusoidal& config = rows.config();
  if (is_padding(static_cast<double>(position), config) ||
      is_padding(static_cast<double>(position + distance), config))
    return;
  for (int pair = 0; pair < pair_count(config); ++pair) {
    const bits_pair<Float> x = rows.pair_at(position, pair), got = rows.pair_at(position + distance, pair);
    if (!is_finite<Float>(x)) {
      record(m, judge_equal(false, sinusoidal_shift_bound<Float>), place_of(position, pair, -1),
             [] { return evidence{}; });
      continue;
    }
    judge_pair<Float>(m, place_of(position + distance, pair, -1), x, got, {sinusoidal_shift_bound<Float>, 0},
                      [&]<int N>() -> exact_output<N> {
                        cos_sin<N> turn{};
                        if constexpr (N == 2)
                          turn = turns[static_cast<std::size_t>(pair)];
                        else
                          turn = sinusoidal_shift<N>(config, static_cast<double>(distance)).turn(pair);
                        return {turned(exact<N, Float>(x), backward(turn)), enclosure<N>::of(1)};
                      });
  }
}

template <floating_format Float>
measurement measure_shift(const sinusoidal_source<Float>& source, const sinusoidal& config,
                          std::int64_t length) {
  const held_sinusoids<Float> rows(source, {0, length}, config);
  measurement m;
  for (const std::int64_t distance : {std::int64_t{1}, std::int64_t{7}, length / 2}) {
    std::vector<cos_sin<2>> turns;
    const sinusoidal_shift<2> shift(config, static_cast<double>(distance));
    for (int pair = 0; pair < pair_count(config); ++pair) turns.push_back(shift.turn(pair));
    for (std::int64_t p = 0; p + distance < length; ++p) judge_shift(m, rows, p, distance, turns);
  }
  return m;
}

}  // namespace detail
}  // namespace ropewalk
