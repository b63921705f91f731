#include "ropewalk/law/table/sinusoids/shift.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ropewalk/encoding/sinusoidal_shift.hpp"
#include "ropewalk/law/judge/judge_pairs.hpp"
#include "ropewalk/law/law.hpp"
#include "ropewalk/law/table/sinusoids/bound.hpp"
#include "ropewalk/law/table/sinusoids/sinusoids.hpp"

namespace ropewalk {

namespace detail {

/// Judges all pairs of the row at position + distance against the rotated pairs of the row at position.
template <floating_format Float>
void judge_shift(measurement& m, const sinusoid_rows<Float>& rows, std::int64_t position,
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
measurement measure_shift(const sinusoidal_source& source, const sinusoidal& config,
                          position_range positions) {
  const sinusoid_rows<Float> rows(source, positions, config);
  measurement m;
  for (const std::int64_t distance : {std::int64_t{1}, std::int64_t{7}, size(positions) / 2}) {
    std::vector<cos_sin<2>> turns;
    const sinusoidal_shift<2> shift(config, static_cast<double>(distance));
    for (int pair = 0; pair < pair_count(config); ++pair) turns.push_back(shift.turn(pair));
    for (std::int64_t p = positions.begin; p + distance < positions.end; ++p)
      judge_shift(m, rows, p, distance, turns);
  }
  return m;
}

}  // namespace detail

measurement sinusoidal_laws::judge_shift(const checked_sinusoids& of, const position_range& given) {
  return with_format(of.dtype,
                     [&]<class Float>() { return detail::measure_shift<Float>(of.rows, of.config, given); });
}

}  // namespace ropewalk
